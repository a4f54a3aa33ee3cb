import { accountTexts, auditTexts as texts } from "../../content/account";
import { formatMoment } from "../../content/dates";
import type { AuditEntry } from "./queries";

/** The words for what details hold, where it is one of a few names. */
const values = {
  ...texts.rows,
  ...texts.yesNo,
  ...texts.words,
  ...Object.fromEntries(Object.entries(accountTexts.roles).map(([role, { name }]) => [role, name])),
};

/** One thing that is said of an entry; with an address where it leads somewhere. */
interface Detail {
  readonly text: string;
  readonly href?: string;
}

/**
 * The details of an entry in words. Identifiers of people's data are counted, and a single
 * conversation is a link; hashes and the id of an epoch say nothing to a reader.
 */
export function detailsOf({ what, details }: AuditEntry): Detail[] {
  const { conversationId, conversationIds, contactIds, subject, stream, epoch, words, ...others } =
    details;
  const [kind, id] = String(subject ?? stream ?? "").split("/");
  const conversations = [
    ...listOf(conversationIds),
    ...listOf(conversationId),
    ...(kind === "conversation" ? listOf(id) : []),
  ];
  const messages = [...listOf(contactIds), ...(kind === "contact" ? listOf(id) : [])];
  const [first] = conversations;

  const said = [
    words !== undefined && texts.search,
    kind === "answer" && id && texts.answer(id),
    ...(what === "ContactMessagesOpened"
      ? [texts.contactsRead(conversations.length + messages.length)]
      : [
          conversations.length > 1 && texts.conversations(conversations.length),
          messages.length > 0 && texts.messages(messages.length),
        ]),
    ...Object.entries(others).map(([field, value]) => fieldOf(field, value)),
  ];
  return [
    ...said.filter((text) => typeof text === "string").map((text) => ({ text })),
    ...(first && conversations.length === 1
      ? [{ text: texts.conversation, href: `/dashboard?conversacion=${encodeURIComponent(first)}` }]
      : []),
  ];
}

/** The ids in a detail: several, one or none. */
function listOf(ids: unknown): string[] {
  return ids === undefined ? [] : [ids].flat().map(String);
}

/** A field with its value in words; undefined for a record, whose parts have no words. */
function fieldOf(field: string, value: unknown): string | undefined {
  if (typeof value === "object") return undefined;
  const text = String(value);
  const isMoment = /^\d{4}-\d\d-\d\dT/.test(text);
  return `${wordOf(texts.details, field)}: ${isMoment ? formatMoment(new Date(text)) : wordOf(values, text)}`;
}

/** The word for a name; the name itself where there is none. */
export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
