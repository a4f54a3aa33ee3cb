/** Pictures that stand beside words: the site's drawings, and the clinic's own, of which nobody knows what is on them. */
import type { Page } from "@playwright/test";
import sharp from "sharp";
import type { components } from "../src/api/schema.gen";
import { answer, json, service, setClinic, site } from "./answers";
import { expect, expectAccessible, expectNoSidewaysScroll, test } from "./test";

// The texts are made transparent to look at what lies under them.
test.use({ bypassCSP: true });

const post = {
  id: "1",
  title: "Brackets o alineadores",
  slug: "brackets",
  excerpt: "Cómo elegir.",
  content: "<p>Texto.</p>",
  imageUrl: "/img/posts/brackets-o-alineadores.webp",
  publishedAt: "2026-03-01T12:00:00Z",
  topics: [],
  pageTitle: "Brackets o alineadores",
  pageDescription: "Cómo elegir.",
};

function picture(name: string, widths: number[], ratio: number) {
  const stem = `/images/${name.replaceAll(/\W/g, "-")}`;
  const [width = 0] = widths;
  return {
    src: `${stem}-${width}.webp`,
    alt: `Se ve ${name}`,
    width,
    height: Math.round(width / ratio),
    stem,
    widths,
    focus: [50, 30],
  };
}

const images: Record<string, components["schemas"]["Picture"]> = {
  ...Object.fromEntries(
    [1, 2, 3, 4].map((number) => [
      `hero/${number}`,
      picture(`hero/${number}`, [640, 960, 1280, 1600], 4 / 3),
    ]),
  ),
  welcome: picture("welcome", [640, 1280], 16 / 9),
  "doctors/irina-solanilla": picture("doctors/irina-solanilla", [320, 640, 960], 1),
  "services/ortodoncia": picture("services/ortodoncia", [640, 1280], 16 / 9),
  "services/carillas": picture("services/carillas", [640, 1280], 16 / 9),
  "posts/brackets": picture("posts/brackets", [640, 1280], 16 / 9),
};

const size = { width: 640, height: 480 };
const painted = {
  white: () => sharp({ create: { ...size, channels: 3, background: "#fff" } }),
  black: () => sharp({ create: { ...size, channels: 3, background: "#000" } }),
  busy: () =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><defs><pattern id="p" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M0 0h8v8H0z" fill="#fff"/><path d="M0 0h4v4H0zM4 4h4v4H4z"/></pattern></defs><path d="M0 0h640v480H0z" fill="url(#p)"/></svg>`,
      ),
    ),
};

async function open(page: Page, path: string, kind: keyof typeof painted): Promise<void> {
  const body = await painted[kind]().png().toBuffer();
  await page.route("/images/**", (route) => route.fulfill({ contentType: "image/png", body }));
  await visit(page, path);
}

async function visit(page: Page, path: string, own = images): Promise<void> {
  const links = {
    booking: "",
    map: "",
    mapPage: "",
    video: "https://video.clinica.test/",
    social: [],
  };
  setClinic(page, { images: own, links });
  const slug = path.split("/").at(-1) ?? "";
  await answer(page, {
    ...site,
    status: json({ limitReached: true }),
    service: json(service("Ortodoncia", slug)),
    post: json(post),
    posts: json([post]),
  });
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** The part of the page that holds all boxes, in whole pixels. */
function around(boxes: readonly (readonly number[])[]) {
  const [x, y] = [0, 1].map((at) => Math.floor(Math.min(...boxes.map((box) => box[at] ?? 0))));
  const [right, bottom] = [0, 1].map((at) =>
    Math.ceil(Math.max(...boxes.map((box) => (box[at] ?? 0) + (box[at + 2] ?? 0)))),
  );
  return { x: x ?? 0, y: y ?? 0, width: (right ?? 0) - (x ?? 0), height: (bottom ?? 0) - (y ?? 0) };
}

const linear = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** Relative luminance (WCAG 2.2) of the colour whose red is at a place, 0 to 1. */
function luminance(colors: ArrayLike<number>, at: number): number {
  const channel = (index: number) => linear[colors[at + index] ?? 0] ?? 0;
  return 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
}

/** Asserts that no text of a part of the page stands on a picture, and that each is read on what it stands on. */
async function expectRead(page: Page, part: string, about = ""): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const texts = await page.locator(part).evaluateAll((roots) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (color: string) => {
      if (!canvas) throw new Error("no canvas");
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const pictures = [...document.querySelectorAll("main img")]
      .filter((image) => image.checkVisibility({ visibilityProperty: true }))
      .map((image) => image.getBoundingClientRect());
    return roots.flatMap((root) => {
      const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: { text: string; color: number[]; boxes: number[][]; onPicture: boolean }[] = [];
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const parent = node.parentElement;
        const seen = parent?.checkVisibility({ visibilityProperty: true });
        if (!node.textContent?.trim() || !parent || !seen || parent.closest(".sr-only")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const rects = [...range.getClientRects()].filter(
          ({ width, height }) => width > 2 && height > 2,
        );
        found.push({
          text: node.textContent,
          color: rgb(getComputedStyle(parent).color),
          boxes: rects.map(({ x, y, width, height }) => [x, y + window.scrollY, width, height]),
          onPicture: rects.some((text) =>
            pictures.some(
              ({ left, right, top, bottom }) =>
                text.left < right && text.right > left && text.top < bottom && text.bottom > top,
            ),
          ),
        });
      }
      return found;
    });
  });
  expect(texts.length).toBeGreaterThan(1);
  expect(texts.filter(({ onPicture }) => onPicture).map(({ text }) => text)).toEqual([]);
  const clear = await page.addStyleTag({
    content:
      "*, *::before { color: transparent !important; transition: none !important } svg { visibility: hidden !important }",
  });
  const clip = around(texts.flatMap(({ boxes }) => boxes));
  const { data, info } = await sharp(await page.screenshot({ fullPage: true, scale: "css", clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await clear.evaluate((style) => (style as Element).remove());
  let least = { ratio: 21, text: "" };
  for (const { text, color, boxes } of texts) {
    const over = luminance(color, 0);
    for (const [x = 0, y = 0, width = 0, height = 0] of boxes) {
      for (let row = Math.ceil(y); row < y + height - 1; row++) {
        for (let column = Math.ceil(x); column < x + width - 1; column++) {
          const at = ((row - clip.y) * info.width + (column - clip.x)) * 3;
          const under = luminance(data, at);
          const ratio = (Math.max(over, under) + 0.05) / (Math.min(over, under) + 0.05);
          if (ratio < least.ratio) least = { ratio, text };
        }
      }
    }
  }
  expect(least.ratio, `${about} ${least.text}`).toBeGreaterThanOrEqual(4.5);
}

const bands = [
  ["/", "main section:first-of-type"],
  ["/services/ortodoncia", "main section:has(h1)"],
  ["/services/carillas", "main section:has(h1)"],
  ["/blog/brackets", "main header"],
] as const;

for (const [path, band] of bands) {
  test(`what stands beside a picture on ${path} is read as well as anywhere`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const kind of ["white", "black", "busy"] as const) {
      await open(page, path, kind);
      for (const width of [320, 390, 700, 768, 1024, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const shown = page.locator(`${band} img`).first();
        await expect(shown).toHaveJSProperty("complete", true);
        await expect(shown).toHaveAttribute("src", /^\/images\//);
        const where = `${kind}, ${width} px:`;
        await expect(() => expectRead(page, band, where)).toPass({ timeout: 10_000 });
        await expectNoSidewaysScroll(page);
      }
    }
    await expectAccessible(page);
  });
}

for (const [path, band] of bands) {
  test(`nothing is written on the drawing on ${path}`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await visit(page, path, {});
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = page.locator(`${band} img`).first();
      await expect(shown).toHaveJSProperty("complete", true);
      await expect(() => expectRead(page, band, `${width} px:`)).toPass({ timeout: 10_000 });
    }
  });
}

for (const path of ["/about", "/about/irina-solanilla", "/contact"]) {
  test(`nothing is written on the leaves of the banner on ${path}`, async ({ page }) => {
    await visit(page, path, {});
    const banner = page.locator("main section:has(h1)").first();
    for (const width of [320, 390, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => document.fonts.ready);
      const covered = await banner.evaluate((section) => {
        const boxes = (all: Iterable<Element | Range>) =>
          [...all].flatMap((one) => [...one.getClientRects()]).filter((box) => box.width > 0);
        const drawn = boxes(section.querySelectorAll(":scope > svg :not(g)"));
        const words = [...section.querySelectorAll("h1, p")].map((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range;
        });
        return boxes(words).filter((a) =>
          drawn.some(
            (b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top,
          ),
        ).length;
      });
      expect(covered, `${width} px`).toBe(0);
    }
  });
}

test("a video's own picture has its words beside it", async ({ page }) => {
  await open(page, "/", "white");
  const video = page.locator("main section a[target=_blank]").first();
  await video.scrollIntoViewIfNeeded();
  await expect(video.locator("img")).toHaveJSProperty("complete", true);
  const words = "main section a[target=_blank] span.text-white";
  await expect(() => expectRead(page, words)).toPass({ timeout: 10_000 });
});

for (const [path] of bands) {
  test(`nothing moves on ${path} when its picture comes`, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const body = await painted.busy().png().toBuffer();
    await page.route("/images/**", async (route) => {
      await held;
      await route.fulfill({ contentType: "image/png", body });
    });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await visit(page, path);
    const places = () =>
      page.locator("h1, h2, main p, main img").evaluateAll((all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return [x, y, width, height].map(Math.round).join(" ");
        }),
      );
    const image = page.locator("main img[fetchpriority=high]");
    await expect(image).toHaveCount(1);
    await expect(image).toHaveAttribute("loading", "eager");
    await expect(page.locator("main img:not([fetchpriority=high])[loading=eager]")).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready);
    const before = await places();
    release();
    await expect
      .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    expect(await places()).toEqual(before);
  });
}

test("a picture that does not come gives way to the drawing", async ({ page }) => {
  await page.route("/images/**", (route) => route.fulfill({ status: 404 }));
  await visit(page, "/services/ortodoncia");
  await expect(page.locator("main img").first()).toHaveAttribute("src", /^\/img\/services\//);
});

test("portraits say who is on them, and are square beside drawings", async ({ page }) => {
  await open(page, "/about", "busy");
  const portrait = page.getByRole("img", { name: "Se ve doctors/irina-solanilla" });
  await portrait.scrollIntoViewIfNeeded();
  await expect(portrait).toHaveJSProperty("complete", true);
  const boxes = await page.locator("#equipo li").evaluateAll((cards) =>
    cards.map((card) => {
      const portrait = card.firstElementChild?.firstElementChild;
      const { width, height } = portrait?.getBoundingClientRect() ?? {};
      return Math.round(Number(width) - Number(height));
    }),
  );
  expect(boxes).toEqual(boxes.map(() => 0));
  await expectAccessible(page);
});
