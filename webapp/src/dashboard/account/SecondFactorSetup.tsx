import { type FormEvent, useState } from "react";
import type { Schemas } from "../../api/client";
import { accountTexts } from "../../content/account";
import { Button } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { useSecondFactorConfirm } from "./queries";

const texts = accountTexts.secondFactor;

interface SecondFactorSetupProps {
  /** What the app is set up with. */
  readonly given: Schemas["SecondFactorKey"];
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Hands the secret to the app, and asks for a first code. */
export function SecondFactorSetup({ given, onConfirmed, onCancel }: SecondFactorSetupProps) {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string>();
  const confirm = useSecondFactorConfirm();
  const { size, path } = given.drawing;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    const mistake = code.trim() ? undefined : texts.missing;
    setWrong(mistake);
    if (mistake) return;
    confirm.mutate(code, {
      onSuccess({ recoveryCodes }) {
        showToast(texts.saved);
        onConfirmed(recoveryCodes);
      },
    });
  };

  return (
    <form className="mt-4 max-w-md" noValidate onSubmit={submit}>
      <p className="text-[0.9375rem] text-ink-600">{texts.scan}</p>
      {/* Black on white in every theme: that is what cameras read. */}
      <svg
        aria-label={texts.drawing}
        className="mt-3 w-full max-w-56 rounded-lg border border-sand-200"
        role="img"
        shapeRendering="crispEdges"
        viewBox={`0 0 ${size} ${size}`}
      >
        <rect fill="#fff" height={size} width={size} />
        <path d={path} fill="#000" />
      </svg>
      <p className="mt-3 text-ink-600 text-sm">
        {texts.secret}:{" "}
        <code className="font-mono text-ink-900 text-sm [overflow-wrap:anywhere]">
          {given.secret.replace(/.{4}(?=.)/g, "$& ")}
        </code>
      </p>
      <div className="mt-4">
        <Field
          autoComplete="one-time-code"
          autoFocus
          inputMode="numeric"
          label={texts.code}
          onText={setCode}
          value={code}
        />
      </div>
      <FormFailure error={confirm.error} otherwise={texts.confirmFailure} wrong={wrong} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button aria-disabled={confirm.isPending} type="submit">
          {confirm.isPending ? texts.confirming : texts.confirm}
        </Button>
        <Button onClick={onCancel} variant="secondary">
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
