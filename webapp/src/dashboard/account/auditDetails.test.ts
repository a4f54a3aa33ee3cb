import { expect, it } from "vitest";
import { detailsOf } from "./auditDetails";

const conversation = { text: "Conversación", href: "/dashboard?conversacion=c%201" };
const said = (...texts: string[]) => texts.map((text) => ({ text }));

it.each([
  ["TranscriptOpened", { conversationId: "c 1" }, [conversation]],
  [
    "ContactMessagesOpened",
    { conversationIds: ["c1", "c2"], contactIds: ["k1"] },
    said("3 contactos leídos"),
  ],
  ["ContactMessagesOpened", { contactIds: ["k1"] }, said("1 contacto leído")],
  [
    "ContactMessagesOpened",
    { conversationIds: ["c 1"] },
    [...said("1 contacto leído"), conversation],
  ],
  [
    "VisitorTextsRead",
    { list: "questions", rows: 30, conversationIds: ["c1", "c2"], contactIds: ["k1"] },
    said("2 conversaciones", "1 mensaje de contacto", "Lista: respuestas por mejorar", "Filas: 30"),
  ],
  [
    "VisitorTextsRead",
    { list: "contacts", words: "8f00b204e9800998ecf8427e", from: "2026-11-20T15:04:05Z" },
    said("Búsqueda de palabras", "Lista: contactos", "De: 20 nov 2026, 10:04"),
  ],
  [
    "SubjectErased",
    { subject: "conversation/c 1", reason: "request" },
    [...said("Motivo: pedido de la persona"), conversation],
  ],
  [
    "SubjectExported",
    { subject: "contact/k1", format: "html" },
    said("1 mensaje de contacto", "Formato: html"),
  ],
  [
    "AnswerTaught",
    {
      subject: "answer/clinica-wifi/2",
      answer: { slug: "clinica-wifi" },
      before: null,
      version: 2,
    },
    said("Respuesta: clinica-wifi", "Versión: 2"),
  ],
  ["EpochAdopted", { epoch: "7b1f6f5e-3f0c-4a57-9a5f-0d6f2b8c1e43" }, []],
  [
    "SomethingNew",
    { detail: 3, constructor: "toString" },
    said("detail: 3", "constructor: toString"),
  ],
])("tells %s with %j", (what, details, told) => {
  const entry = { position: 1, time: "", who: "", account: "", what, details };
  expect(detailsOf(entry)).toEqual(told);
});
