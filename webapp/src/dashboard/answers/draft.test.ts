import { expect, it } from "vitest";
import { blankDraft, draftOf, filledWith, sentOf, slugOf } from "./draft";

const wifi = {
  slug: "clinica-wifi",
  topic: "clinica",
  service: "",
  aspect: "",
  open: true,
  questions: ["¿hay wifi?"],
  text: "Sí.",
  english: "",
  version: 2,
};

it("names a new answer after its title", () => {
  const typed = blankDraft("clinica", [
    "soy [nombre], ¿tienen agua filtrada, por favor, hoy?",
    "y agua",
  ]);
  expect(typed.questions).toBe("soy , ¿tienen agua filtrada, por favor, hoy?\ny agua");
  expect(slugOf({ ...typed, title: " ¡Agua filtrada en Panamá! " })).toBe(
    "agua-filtrada-en-panama",
  );
  expect(sentOf({ ...typed, questions: "a\n\n b \n" }).questions).toEqual(["a", " b "]);
  expect(sentOf(typed)).not.toHaveProperty("version");
});

it("keeps the name of what it changes, and adds what was asked", () => {
  const typed = draftOf(wifi, ["hay internet"]);
  expect(sentOf({ ...typed, title: "Otro" })).toMatchObject({
    slug: "clinica-wifi",
    version: 2,
    questions: ["¿hay wifi?", "hay internet"],
  });
});

it("fills facts in, and leaves what is none", () => {
  const facts = [{ name: "{{phones}}", value: "200-0101" }];
  expect(filledWith("{Llama|Llame} al {{phones}} o {{phones}}, {{fax}}", facts)).toBe(
    "Llama al 200-0101 o 200-0101, {{fax}}",
  );
});
