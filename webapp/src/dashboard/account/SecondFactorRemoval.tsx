import { type FormEvent, useState } from "react";
import { accountTexts } from "../../content/account";
import { Button } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { useSecondFactorRemoval } from "./queries";

const texts = accountTexts.secondFactor;

interface SecondFactorRemovalProps {
  /** Names the account to whatever keeps passwords for people. */
  readonly email: string;
  readonly onRemoved: () => void;
}

/** Leaves one's account with its password alone. */
export function SecondFactorRemoval({ email, onRemoved }: SecondFactorRemovalProps) {
  const [asking, setAsking] = useState(false);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string>();
  const remove = useSecondFactorRemoval();

  if (!asking) {
    return (
      <Button className="mt-4" onClick={() => setAsking(true)} variant="secondary">
        {texts.remove}
      </Button>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (remove.isPending) return;
    const mistake = password && code.trim() ? undefined : texts.removeMissing;
    setWrong(mistake);
    if (mistake) return;
    remove.mutate(
      { password, code },
      {
        onSuccess() {
          showToast(texts.removed);
          onRemoved();
        },
      },
    );
  };
  return (
    <form className="mt-4" noValidate onSubmit={submit}>
      <input autoComplete="username" hidden readOnly value={email} />
      <div className="flex max-w-md flex-col gap-3">
        <Field
          autoComplete="current-password"
          autoFocus
          label={texts.password}
          onText={setPassword}
          type="password"
          value={password}
        />
        <Field
          autoComplete="one-time-code"
          inputMode="numeric"
          label={texts.either}
          onText={setCode}
          value={code}
        />
      </div>
      <FormFailure error={remove.error} otherwise={texts.removeFailure} wrong={wrong} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button aria-disabled={remove.isPending} type="submit">
          {remove.isPending ? texts.removing : texts.remove}
        </Button>
        <Button onClick={() => setAsking(false)} variant="secondary">
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
