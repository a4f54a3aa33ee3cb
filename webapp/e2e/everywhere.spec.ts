/** What holds for every page in every state: it reads in every window, by keyboard and by ear. */
import { expectFocusInSight, expectReadable } from "./layout";
import { staffStates } from "./staffStates";
import { reach, siteStates } from "./states";
import { expectAccessibleInWindows, test } from "./test";

test.use({ bypassCSP: true });

for (const state of [...siteStates, ...staffStates]) {
  test.describe(() => {
    test.use({ expectedError: state.expectedError });
    test(state.name, async ({ page }) => {
      await reach(page, state);
      await expectReadable(page);
      await expectFocusInSight(page);
      await expectAccessibleInWindows(page, [320, 1920]);
    });
  });
}
