import { useRef, useState } from "react";
import type { Schemas } from "../../api/client";
import { useOutcome, useTexts } from "../../api/content";
import { ApiError } from "../../api/errors";
import { send as sendTo } from "../../api/send";
import { showToast } from "../../ui/toasts";
import {
  type ContactErrors,
  type ContactField,
  type ContactForm,
  contactErrors,
} from "./validation";

const empty: ContactForm = { name: "", email: "", phone: "", message: "" };

/** A form that was sent without JavaScript and not taken, as the server hands it back. */
interface Refused {
  readonly values: ContactForm;
  /** What is wrong with which field; null where that is not the reason. */
  readonly fields: ContactErrors | null;
}

function useRefused(): Refused | undefined {
  return useOutcome("form").data as Refused | undefined;
}

/** The fields that the server refused, with its own words. */
function refusedFields(error: unknown): ContactErrors {
  if (!(error instanceof ApiError) || error.status !== 400) return {};
  try {
    const fields: unknown = JSON.parse(error.body)?.fields;
    return typeof fields === "object" && fields !== null ? fields : {};
  } catch {
    return {};
  }
}

/**
 * The contact form between the first letter and the answer. `honeypot` is the value of the
 * field that people do not see.
 */
export function useContactForm() {
  const texts = useTexts("contact").form;
  const refused = useRefused();
  const [values, setValues] = useState(refused?.values ?? empty);
  const [errors, setErrors] = useState<ContactErrors>(
    refused ? { ...refused.fields, ...contactErrors(refused.values, texts.errors) } : {},
  );
  const [pending, setPending] = useState(false);
  const [sent, setSent] = useState(false);
  // The state of a second click is that of the first one.
  const sending = useRef(false);

  const change = (field: ContactField, value: string) => {
    const changed = { ...values, [field]: value };
    setValues(changed);
    if (!errors[field]) return;
    const { [field]: _, ...others } = errors;
    const message = contactErrors(changed, texts.errors)[field];
    setErrors(message ? { ...others, [field]: message } : others);
  };

  const send = async (honeypot: string): Promise<ContactErrors> => {
    if (sending.current) return {};
    const found = contactErrors(values, texts.errors);
    setErrors(found);
    if (Object.keys(found).length > 0) return found;
    sending.current = true;
    setPending(true);
    try {
      const { name, email, phone, message } = values;
      const body: Schemas["ContactMessage"] = {
        name: name.trim(),
        email: email.trim(),
        ...(phone.trim() && { phone: phone.trim() }),
        message: message.trim(),
        ...(honeypot && { website: honeypot }),
      };
      await sendTo("/api/contact", { body });
      setValues(empty);
      setSent(true);
      showToast(texts.toasts.success);
      return {};
    } catch (error) {
      console.error(error);
      const refused = refusedFields(error);
      setErrors(refused);
      showToast({ variant: "destructive", ...texts.toasts.failure });
      return refused;
    } finally {
      sending.current = false;
      setPending(false);
    }
  };

  return {
    values,
    errors,
    pending,
    sent,
    /** Whether a form that was sent without JavaScript could not be taken, whatever stood in it. */
    failed: refused?.fields === null,
    change,
    /** Takes over what was written before anything listened. */
    prefill: (written: ContactForm) => {
      if (Object.values(written).some(Boolean)) setValues(written);
    },
    send,
    again: () => setSent(false),
  };
}
