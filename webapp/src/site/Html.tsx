/** How the elements of the HTML look. */
const prose = [
  "text-lg leading-8 text-pretty [overflow-wrap:anywhere]",
  "[&>*+*]:mt-5",
  "[&_h2]:mt-11! [&_h2]:font-semibold [&_h2]:text-2xl [&_h2]:text-teal-900 [&_h2]:leading-8 [&_h2]:tracking-tight",
  "[&_h3]:mt-8! [&_h3]:font-semibold [&_h3]:text-xl [&_h3]:text-ink-900 [&_h3]:tracking-tight",
  "[&_ul]:list-disc [&_ol]:list-decimal [&_:is(ul,ol)]:pl-6 [&_li]:mt-2 [&_li]:pl-1 [&_li]:marker:text-clay-500",
  "[&_a]:font-medium [&_a]:text-teal-700 [&_a]:underline [&_a]:underline-offset-4",
  "[&_strong]:font-semibold [&_strong]:text-ink-900",
  "[&_blockquote]:border-clay-400 [&_blockquote]:border-l-3 [&_blockquote]:pl-5 [&_blockquote]:text-ink-600",
  "[&_img]:h-auto [&_img]:max-w-full [&_img]:rounded-card",
  "[&_table]:block [&_table]:overflow-x-auto [&_:is(th,td)]:border [&_:is(th,td)]:border-sand-200 [&_:is(th,td)]:px-3 [&_:is(th,td)]:py-2 [&_:is(th,td)]:text-left",
].join(" ");

/** A text that the clinic wrote and the server sanitised, as HTML. */
export function Html({ content }: { readonly content: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when stored and when read
  return <div className={prose} dangerouslySetInnerHTML={{ __html: content }} />;
}
