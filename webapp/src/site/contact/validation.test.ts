import { describe, expect, it } from "vitest";
import { pageTexts } from "../../../e2e/texts";
import { type ContactForm, contactErrors as errorsOf } from "./validation";

const contactErrors = (form: ContactForm) => errorsOf(form, pageTexts.contact.form.errors);

const right = { name: "Li", email: "li@correo.example", phone: "", message: "Diez letra" };

describe("contactErrors", () => {
  it("lets the shortest form pass", () => {
    expect(contactErrors(right)).toEqual({});
  });

  it.each(["", "L", "  L  ", "😀"])("wants a name of two characters, not %j", (name) => {
    expect(contactErrors({ ...right, name })).toEqual({
      name: "Name must be at least 2 characters",
    });
  });

  it.each([
    "",
    "li",
    "li@",
    "@correo.example",
    "li@correo",
    "l i@correo.example",
    "li@a@b.example",
  ])("wants an e-mail address, not %j", (email) => {
    expect(contactErrors({ ...right, email })).toEqual({
      email: "Please enter a valid email address",
    });
  });

  it.each(["li@correo.example", " li.o'k+1@sub.correo.example ", "ñandú@correo.example"])(
    "takes the address %j",
    (email) => {
      expect(contactErrors({ ...right, email })).toEqual({});
    },
  );

  it.each(["", "Diez letr", "   hola    ", "😀😀😀😀😀"])(
    "wants a message of ten characters, not %j",
    (message) => {
      expect(contactErrors({ ...right, message })).toEqual({
        message: "Message must be at least 10 characters",
      });
    },
  );

  it("asks nothing of the phone", () => {
    expect(contactErrors({ ...right, phone: "<b>?</b>" })).toEqual({});
  });
});
