/** What people ask about their own data, as the staff sees it. */
import { answer, dashboard, json, site } from "./answers";
import { contactCounts, contacts } from "./contactAnswers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const [late, soon] = contacts(2).map((contact, index) => ({
  ...contact,
  requests: [
    {
      id: `r${index}`,
      request: index === 0 ? ("copy" as const) : ("erase" as const),
      askedAt: "2026-11-02T15:00:00.000Z",
      dueAt: index === 0 ? "2000-11-17T04:59:59.000Z" : "2100-12-05T04:59:59.000Z",
    },
  ],
}));

test("requests stand out, with what is overdue, until they are done", async ({ page }) => {
  const done: unknown[] = [];
  await answer(page, {
    ...site,
    ...dashboard,
    contactCounts: json({
      ...contactCounts,
      openRequests: 2,
      nextRequestDue: late?.requests[0]?.dueAt,
    }),
    requests: json([late, soon]),
    requestDone: (route) => {
      done.push(route.request().postDataJSON());
      return json([
        {
          ...late?.requests[0],
          doneAt: "2026-11-20T15:00:00.000Z",
          outcome: "granted",
          doneBy: "ana@clinica.example",
        },
      ])(route);
    },
  });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/dashboard?vista=contactos");
  await expect(page.getByRole("tab", { name: /2 solicitudes sobre datos/ })).toBeVisible();
  const panel = page.getByRole("tabpanel");
  await expect(panel).toContainText("2 personas pidieron algo sobre sus datos.");
  await expect(panel).toContainText("La primera venció el 16 nov 2000.");
  await panel.getByRole("button", { name: "Ver las solicitudes" }).click();
  await expect(panel.getByRole("article")).toHaveCount(2);
  const asked = panel.locator("[data-overdue]");
  await expect(asked.nth(0)).toContainText("Pide una copia de sus datosvenció el 16 nov 2000");
  await expect(asked.nth(0)).toHaveAttribute("data-overdue", "true");
  await expect(asked.nth(1)).toContainText("Pide que se borren sus datosvence el 4 dic 2100");
  await asked.nth(0).getByRole("button", { name: "Marcar como atendida" }).click();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await asked.nth(0).getByRole("button", { name: "Se hizo lo que pidió" }).click();
  await expect(panel).toContainText(
    "Se hizo lo que pidió: ana@clinica.example, 20 nov 2026, 10:00",
  );
  await expect(asked).toHaveCount(1);
  expect(done).toEqual([{ outcome: "granted" }]);
});
