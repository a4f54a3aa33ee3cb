import { useState } from "react";
import { accountTexts } from "../../content/account";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { FormFailure } from "../shared/FormFailure";
import { QueryState } from "../shared/QueryState";
import { useSecondFactor, useSecondFactorBegin } from "./queries";
import { RecoveryCodes } from "./RecoveryCodes";
import { SecondFactorRemoval } from "./SecondFactorRemoval";
import { SecondFactorSetup } from "./SecondFactorSetup";

const texts = accountTexts.secondFactor;

interface SecondFactorCardProps {
  readonly email: string;
  /** Whether one has to have it before anything else. */
  readonly due: boolean;
  /** Is told when it was set up, and its recovery codes were kept, or removed. */
  readonly onChange: () => void;
}

/** Sets up the codes that one is asked for beside one's password. */
export function SecondFactorCard({ email, due, onChange }: SecondFactorCardProps) {
  const query = useSecondFactor();
  const begin = useSecondFactorBegin();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const off = query.data?.on === false && !begin.data && !recoveryCodes;
  const on = !recoveryCodes && query.data?.on ? query.data : undefined;

  return (
    <Card className="p-5 sm:p-6">
      <h2 className="flex flex-wrap items-center gap-2 font-semibold text-ink-900 text-lg">
        {texts.title}
        {on && <Badge variant="lead">{texts.on}</Badge>}
      </h2>
      <p className="mt-1 text-[0.9375rem] text-ink-600">{due ? texts.due : texts.hint}</p>
      <QueryState query={query} texts={texts} />
      {off && (
        <Button
          aria-disabled={begin.isPending}
          className="mt-4"
          onClick={() => begin.isPending || begin.mutate()}
        >
          {begin.isPending ? texts.beginning : texts.begin}
        </Button>
      )}
      <FormFailure error={begin.error} otherwise={texts.beginFailure} />
      {begin.data && !recoveryCodes && (
        <SecondFactorSetup
          given={begin.data}
          onCancel={begin.reset}
          onConfirmed={(codes) => {
            setRecoveryCodes(codes);
            begin.reset();
          }}
        />
      )}
      {recoveryCodes && (
        <RecoveryCodes
          codes={recoveryCodes}
          onKept={() => {
            setRecoveryCodes(undefined);
            onChange();
          }}
        />
      )}
      {on && (
        <>
          <p className="mt-3 text-[0.9375rem] text-ink-600">{texts.left(on.recoveryCodes)}</p>
          <SecondFactorRemoval email={email} onRemoved={onChange} />
        </>
      )}
    </Card>
  );
}
