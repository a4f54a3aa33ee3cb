/** What the server says about accounts and what was done with them. */
import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];

const session = (id: string, browser: string, current = false): Schemas["StaffSession"] => ({
  id,
  browser,
  createdAt: "2026-11-20T13:02:00.000Z",
  lastSeenAt: "2026-11-20T15:41:00.000Z",
  current,
});
export const sessions: Schemas["StaffSession"][] = [
  session("s-1", "Chrome · Windows", true),
  session("s-2", "Safari · iOS"),
  session("s-3", ""),
];
export const accounts: Schemas["Account"][] = [
  { id: "1", email: "ana@clinica.example", role: "owner", sessions: 1, secondFactor: true },
  { id: "2", email: "luis@clinica.example", role: "staff", sessions: 2, secondFactor: false },
  {
    id: "3",
    email: "una.direccion.que.no.termina.nunca@recepcion.clinica.example",
    role: "reader" as const,
    sessions: 0,
    secondFactor: false,
  },
].map((account) => ({ ...account, createdAt: "2026-03-02T15:00:00.000Z" }) as Schemas["Account"]);

type Entry = components["schemas"]["AuditEntry"];

export const ana = "ana@clinica.example";
export const entry = (position: number, what: string, some: Partial<Entry> = {}): Entry => ({
  position,
  what,
  time: "2026-11-20T15:41:00.000Z",
  who: ana,
  account: ana,
  details: {},
  ...some,
});
export const entries: Entry[] = [
  entry(9, "StaffRoleChanged", { account: "luis@clinica.example", details: { role: "reader" } }),
  entry(8, "TranscriptOpened", { details: { conversationId: `c-${"largo".repeat(20)}` } }),
  entry(7, "StaffSignInFailed", { who: "nobody", account: "nobody" }),
  entry(6, "StaffAccountAdded", {
    who: "operator",
    account: "gone",
    details: { role: "staff" },
  }),
  entry(4, "ExportTaken", { details: { rows: "messages", format: "csv" } }),
  entry(3, "ContactMessagesOpened", {
    details: { contactIds: ["k1", "k2"], conversationIds: Array.from("0123456789") },
  }),
  entry(5, "SomethingNew", { details: { detail: 3 } }),
];
