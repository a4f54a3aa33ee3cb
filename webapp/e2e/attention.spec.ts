import { answer, conversations, dashboard, json, kpis, list } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, listRow, test } from "./test";

const [first, second, ...others] = conversations(40).map((one, index) => ({
  ...one,
  flags: index === 0 ? ["callback", "crisis"] : index === 1 ? ["urgency", "complaint"] : [],
}));
const flagged = [first, second];

test("marks what asks for attention, and leads to it", async ({ page }) => {
  await answer(page, {
    ...dashboard,
    kpis: json({ ...kpis, flaggedConversations: 2 }),
    conversations: async (route) => {
      const { searchParams } = new URL(route.request().url());
      const reason = searchParams.get("flag");
      const narrowed = flagged.filter((one) => reason === null || one?.flags.includes(reason));
      const asked = reason !== null || searchParams.has("flagged");
      await list(asked ? narrowed : [first, second, ...others])(route);
    },
  });
  await page.goto("/dashboard");
  await expect(await listRow(page, 3)).not.toContainText("Queja");
  const urgent = await listRow(page, 2);
  await expect(urgent).toContainText("Urgencia dentalQueja");
  await expect(urgent).toContainText("Lead");
  const grave = await listRow(page, 1);
  await expect(grave).toContainText("CrisisPide contacto");
  await expectAccessible(page, grave);
  await expectNoSidewaysScroll(page);

  await page.getByRole("button", { name: "Ver cuáles" }).click();
  await expect(page).toHaveURL(/[?&]atencion=si/);
  await expect(page.getByText("2 conversaciones", { exact: true })).toBeVisible();
  await expect(page.getByText("2 conversaciones piden atención")).toHaveCount(0);
  await page.getByLabel("Atención", { exact: true }).selectOption("Crisis");
  await expect(page).toHaveURL(/[?&]motivo=crisis/);
  await expect(page.getByText("1 conversación", { exact: true })).toBeVisible();

  await grave.getByRole("button", { name: "Ver detalles" }).click();
  await expect(page.getByRole("dialog")).toContainText("CrisisPide contacto");
  await expectAccessible(page, page.getByRole("dialog"));
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Quitar el filtro Crisis" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test("says nothing where nothing asks for attention", async ({ page }) => {
  await answer(page, { ...dashboard, kpis: json({ ...kpis, flaggedConversations: 0 }) });
  await page.goto("/dashboard");
  await expect(page.getByText("1,284", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Ver cuáles" })).toHaveCount(0);
});
