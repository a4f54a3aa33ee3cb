import { type FormEvent, useState } from "react";
import { accountTexts } from "../../content/account";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { showToast } from "../../ui/toasts";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { usePasswordChange } from "./queries";

const texts = accountTexts.password;
const blank = { current: "", next: "", again: "" };

interface PasswordCardProps {
  /** Names the account to whatever keeps passwords for people. */
  readonly email: string;
}

/** Changes one's own password. */
export function PasswordCard({ email }: PasswordCardProps) {
  const [typed, setTyped] = useState(blank);
  const [wrong, setWrong] = useState<string>();
  const change = usePasswordChange();

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const { current, next, again } = typed;
    const complete = current && next && again;
    const mistake = !complete ? texts.missing : next !== again ? texts.differ : undefined;
    setWrong(mistake);
    if (mistake) return;
    change.mutate(
      { current, password: next },
      {
        onSuccess() {
          setTyped(blank);
          showToast(texts.saved);
        },
      },
    );
  };
  const field = (name: keyof typeof blank, autoComplete: string) => (
    <Field
      autoComplete={autoComplete}
      label={texts[name]}
      onText={(text) => setTyped((before) => ({ ...before, [name]: text }))}
      type="password"
      value={typed[name]}
    />
  );

  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
      <p className="mt-1 text-[0.9375rem] text-ink-600">{texts.hint}</p>
      <form className="mt-4" noValidate onSubmit={save}>
        <input autoComplete="username" hidden readOnly value={email} />
        <div className="flex max-w-md flex-col gap-3">
          {field("current", "current-password")}
          {field("next", "new-password")}
          {field("again", "new-password")}
        </div>
        <FormFailure error={change.error} otherwise={texts.failure} wrong={wrong} />
        <Button aria-disabled={change.isPending} className="mt-5" type="submit">
          {change.isPending ? texts.saving : texts.save}
        </Button>
      </form>
    </Card>
  );
}
