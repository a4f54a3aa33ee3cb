import { type FormEvent, useState } from "react";
import { accountsTexts, accountTexts } from "../../content/account";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { showToast } from "../../ui/toasts";
import { Field } from "../shared/Field";
import { FormFailure } from "../shared/FormFailure";
import { type Role, useNewAccount } from "./queries";
import { RoleSelect } from "./RoleSelect";

const texts = accountsTexts.add;
const blank = { email: "", password: "", role: "staff" as Role };

/** Adds an account; its first password is typed here. */
export function NewAccountCard() {
  const [typed, setTyped] = useState(blank);
  const [incomplete, setIncomplete] = useState(false);
  const account = useNewAccount();
  const type = (some: Partial<typeof blank>) => setTyped((before) => ({ ...before, ...some }));

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (account.isPending) return;
    const email = typed.email.trim();
    const missing = !email || !typed.password;
    setIncomplete(missing);
    if (missing) return;
    account.mutate(
      { ...typed, email },
      {
        onSuccess() {
          setTyped(blank);
          showToast({ title: texts.saved, description: email });
        },
      },
    );
  };

  return (
    <Card className="p-5 sm:p-6">
      <h2 className="font-semibold text-ink-900 text-lg">{texts.title}</h2>
      <p className="mt-1 text-[0.9375rem] text-ink-600">{texts.hint}</p>
      <form className="mt-4" noValidate onSubmit={save}>
        <div className="flex max-w-md flex-col gap-3">
          <Field
            autoComplete="off"
            label={texts.email}
            onText={(email) => type({ email })}
            type="email"
            value={typed.email}
          />
          <Field
            autoComplete="new-password"
            label={texts.password}
            onText={(password) => type({ password })}
            type="password"
            value={typed.password}
          />
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <RoleSelect
              label={accountsTexts.role}
              onSelect={(role) => type({ role })}
              selected={typed.role}
            />
            <span className="text-ink-600 text-sm">{accountTexts.roles[typed.role].explained}</span>
          </div>
        </div>
        <FormFailure
          error={account.error}
          otherwise={texts.failure}
          wrong={incomplete ? texts.missing : undefined}
        />
        <Button aria-disabled={account.isPending} className="mt-5" type="submit">
          {account.isPending ? texts.saving : texts.save}
        </Button>
      </form>
    </Card>
  );
}
