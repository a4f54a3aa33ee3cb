import { answer, failure, json, neverAnswers, posts, setClinic, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

const [post] = posts;
if (!post) throw new Error("no post");

test.beforeEach(async ({ page }) => {
  await answer(page, {
    ...site,
    posts: json(posts),
    post: json({
      ...post,
      content: '<h2>Qué ocurre</h2><p>La <strong>placa</strong> y <a href="/contact">tú</a>.</p>',
    }),
  });
});

test.describe("the listing", () => {
  test("shows all articles, three in a row at most", { tag: "@both" }, async ({
    page,
    viewport,
  }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("/blog");
    await expect(page).toHaveTitle("Blog de salud dental | Clínica Dental Regency");
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText("Blog de Salud Dental");
    await expect(main.getByRole("heading", { name: "Aprende a cuidar tu boca" })).toBeVisible();
    const cards = main.getByRole("article");
    await expect(cards).toHaveCount(posts.length);
    const card = cards.first();
    await expect(card.getByRole("heading")).toHaveText(post.title);
    await expect(card).toContainText("septiembre 3, 2026");
    await expect(card).toContainText(post.excerpt);
    const link = card.getByRole("link", { name: `Leer más sobre ${post.title}` });
    await expect(link).toHaveAttribute("href", "/blog/articulo-1");
    const tops = await cards.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
    const inFirstRow = tops.filter((top) => top === tops[0]).length;
    expect(inFirstRow).toBe(viewport && viewport.width < 768 ? 1 : 3);
    await expectNoSidewaysScroll(page);
  });

  test("lets the cards of a row fade in one after the other", async ({ page }) => {
    await page.goto("/blog");
    const cards = page.getByRole("listitem").filter({ has: page.getByRole("article") });
    await expect(cards).toHaveCount(4);
    const delays = await cards.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).transitionDelay),
    );
    expect(delays).toEqual(["0s", "0.1s", "0.2s", "0s"]);
    await expect(cards.last()).toHaveCSS("opacity", "1");
  });

  test("shows six placeholders while it loads", async ({ page }) => {
    await answer(page, { posts: neverAnswers });
    await page.goto("/blog");
    await expect(page.getByTestId("post-placeholder")).toHaveCount(6);
    await expect(page.getByText("Cargando los artículos")).toBeAttached();
  });

  test("says when the articles could not be loaded, and tries again", async ({ page }) => {
    await answer(page, { posts: failure(503) });
    await page.goto("/blog");
    const main = page.getByRole("main");
    await expect(
      main.getByRole("heading", { name: "Error al Cargar los Artículos" }),
    ).toBeVisible();
    await expect(main).toContainText("inténtalo de nuevo más tarde");
    await answer(page, { posts: json(posts) });
    await main.getByRole("button", { name: "Reintentar" }).click();
    await expect(main.getByRole("article")).toHaveCount(posts.length);
  });

  test("says when there are no articles", async ({ page }) => {
    await answer(page, { posts: json([]) });
    await page.goto("/blog");
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { name: "No Se Encontraron Artículos" })).toBeVisible();
    await expect(main).toContainText("Vuelve pronto");
  });

  test("has a newsletter box that triggers nothing", async ({ page }) => {
    await page.goto("/blog");
    const asked: string[] = [];
    const box = page.getByRole("region", { name: "Consejos de salud dental por correo" });
    await expect(box).toContainText("tu información no será compartida con nadie");
    await expect(box).toContainText("este formulario no guarda ni envía tu correo");
    await box.getByLabel("Correo electrónico").fill("ana@correo.example");
    // What the page itself still loads or tells of the visit is none of the box's doing.
    page.on("request", (request) => {
      const url = request.url();
      if (new URL(url).pathname === "/api/visits") return;
      if (request.method() !== "GET" || request.isNavigationRequest()) asked.push(url);
    });
    await box.getByRole("button", { name: "Suscribirse" }).click();
    await box.getByLabel("Correo electrónico").press("Enter");
    await expect(box.getByLabel("Correo electrónico")).toHaveValue("ana@correo.example");
    await expect(page).toHaveURL("/blog");
    expect(asked).toEqual([]);
  });

  test("takes an address for the newsletter, and says what comes next", async ({ page }) => {
    setClinic(page, { newsletter: true });
    const asked: unknown[] = [];
    let status = 503;
    await page.route("**/api/newsletter", (route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill({ status });
    });
    await page.goto("/blog");
    const box = page.getByRole("region", { name: "Consejos de salud dental por correo" });
    await expect(box).toContainText("Primero te enviamos un enlace");
    await box.getByLabel("Correo electrónico").fill("ana@correo.example");
    await box.getByRole("button", { name: "Suscribirse" }).click();
    await expect(box.getByRole("status")).toContainText("No pudimos enviar el correo");
    status = 204;
    await box.getByLabel("Correo electrónico").press("Enter");
    await expect(box.getByRole("status")).toContainText("Revisa tu correo");
    expect(asked).toEqual([{ email: "ana@correo.example" }, { email: "ana@correo.example" }]);
    await expectAccessible(page);
  });

  test("a letter's link leaves it to the visitor to confirm, or to end it", async ({ page }) => {
    setClinic(page, { newsletter: true });
    const link = "/blog?boletin=0b1f0c1e-8d0e-4c55-9a3c-3a1f0f1d2e3c";
    const sent: (string | null)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith(link))
        sent.push(request.postData());
    });
    for (const [button, said, state] of [
      ["Confirmar la suscripción", "La suscripción está confirmada", "confirmado"],
      ["Darme de baja", "tu dirección está borrada", "baja"],
    ] as const) {
      await page.goto(link);
      const box = page.getByRole("region", { name: "Consejos de salud dental por correo" });
      await expect(box.getByRole("button", { name: button })).toBeVisible();
      await expect(box.getByLabel("Correo electrónico")).toHaveCount(0);
      await expectAccessible(page);
      const before = sent.length;
      await box.getByRole("button", { name: button }).click();
      await expect.poll(() => sent.length).toBe(before + 1);
      await page.goto(`/blog?boletin=${state}#boletin`);
      await expect(box.getByRole("status")).toContainText(said);
    }
    expect(sent).toEqual(["accion=confirmar", "accion=baja"]);
  });
});

test.describe("an article", () => {
  test("shows its date, title and text, and how to share it", async ({ page, baseURL }) => {
    await page.goto("/blog/articulo-1");
    await expect(page).toHaveTitle(`${post.title} | Clínica Dental Regency`);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", post.excerpt);
    const main = page.getByRole("main");
    await expect(main.getByRole("heading", { level: 1 })).toHaveText(post.title);
    await expect(main.getByText("septiembre 3, 2026")).toBeVisible();
    await expect(main.getByRole("heading", { level: 2, name: "Qué ocurre" })).toBeVisible();
    await expect(main.locator("strong")).toHaveText("placa");

    const address = encodeURIComponent(`${baseURL}/blog/articulo-1`);
    const title = encodeURIComponent(post.title);
    for (const [label, start] of [
      ["Facebook", `https://www.facebook.com/sharer/sharer.php?u=${address}&title=${title}`],
      ["Twitter", `https://twitter.com/intent/tweet?url=${address}&text=${title}`],
      ["LinkedIn", `https://www.linkedin.com/shareArticle?mini=true&url=${address}&title=${title}`],
    ] as const) {
      const link = main.getByRole("link", { name: `Compartir en ${label}` });
      const href = (await link.getAttribute("href")) ?? "";
      expect(href.slice(0, start.length)).toBe(start);
      expect(href).toContain(encodeURIComponent(post.excerpt));
      await expect(link).toHaveAttribute("rel", "noopener noreferrer");
    }
    const mail = main.getByRole("link", { name: "Enviar por correo electrónico" });
    await expect(mail).toHaveAttribute("href", new RegExp(`^mailto:\\?subject=${title}&body=Te`));
    expect(await mail.getAttribute("href")).toContain(address);
    await expectNoSidewaysScroll(page);
    await main.getByRole("link", { name: "Volver al Blog de Salud Dental" }).click();
    await expect(page).toHaveURL("/blog");
  });

  test("falls back to a drawing where its picture cannot be loaded", async ({ page }) => {
    await answer(page, { posts: json([{ ...post, imageUrl: "/img/no-hay.webp" }]) });
    await page.route("**/img/no-hay*", (route) => route.fulfill({ status: 404 }));
    await page.goto("/blog");
    const image = page.getByRole("main").getByRole("article").locator("img");
    await expect(() => image.scrollIntoViewIfNeeded()).toPass();
    await expect(image).toHaveAttribute("src", "/img/placeholder.svg");
  });

  test("shows a skeleton while it loads", async ({ page }) => {
    await answer(page, { post: neverAnswers });
    await page.goto("/blog/articulo-1");
    await expect(page.getByTestId("article-skeleton")).toBeVisible();
    await expect(page.getByText("Cargando el artículo")).toBeAttached();
  });

  test("leads to the listing when it cannot be loaded", async ({ page }) => {
    await answer(page, { post: failure(404) });
    await page.goto("/blog/no-existe");
    await expect(page).toHaveURL("/blog");
    await expect(page.getByRole("heading", { name: "Blog de Salud Dental" })).toBeVisible();
  });

  test("renders nothing without data", async ({ page }) => {
    await answer(page, { post: json(null) });
    await page.goto("/blog/articulo-1");
    await expect(page.getByTestId("article-skeleton")).toHaveCount(0);
    await expect(page.getByRole("main")).toHaveText("");
    await expect(page).toHaveURL("/blog/articulo-1");
  });
});
