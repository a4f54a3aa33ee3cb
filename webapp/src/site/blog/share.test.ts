import { expect, it } from "vitest";
import { pageTexts } from "../../../e2e/texts";
import { shareLinks } from "./share";

const texts = pageTexts.blog.article.share;

const article = {
  address: "https://clinica.example/blog/encias",
  title: "Encías & dientes: 100%",
  excerpt: "¿Por qué sangran? #1",
};

function parameters(network: string): Record<string, string> {
  const link = shareLinks(article, texts).find((known) => known.network === network);
  return Object.fromEntries(new URL(link?.href ?? "").searchParams);
}

it("tells every network the address, the title and the excerpt", () => {
  expect(parameters("Facebook")).toEqual({
    u: article.address,
    title: article.title,
    description: article.excerpt,
  });
  expect(parameters("Twitter")).toEqual({
    url: article.address,
    text: `${article.title}. ${article.excerpt}`,
  });
  expect(parameters("LinkedIn")).toEqual({
    mini: "true",
    url: article.address,
    title: article.title,
    summary: article.excerpt,
  });
});

it("writes a mail with the title as its subject and the address in a sentence", () => {
  const { subject, body } = parameters("email");
  expect(subject).toBe(article.title);
  expect(body).toMatch(/^Te comparto .+: https:\/\/clinica\.example\/blog\/encias$/);
  expect(shareLinks(article, texts).at(-1)?.href).not.toContain("+");
});
