import { accountTexts } from "../../content/account";
import { Button } from "../../ui/Button";

const texts = accountTexts.secondFactor;

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onKept: () => void;
}

/** Shows the recovery codes, which no one can be shown again. */
export function RecoveryCodes({ codes, onKept }: RecoveryCodesProps) {
  return (
    <section aria-label={texts.recovery} className="mt-4">
      <h3 className="font-medium text-ink-900">{texts.recovery}</h3>
      <p className="mt-1 text-[0.9375rem] text-ink-600" role="status">
        {texts.recoveryHint}
      </p>
      <ol className="mt-3 grid max-w-md list-inside list-decimal grid-cols-1 gap-x-6 gap-y-1 rounded-xl bg-sand-50 p-4 text-ink-900 tabular-nums sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code className="font-mono">{code}</code>
          </li>
        ))}
      </ol>
      <Button autoFocus className="mt-4" onClick={onKept}>
        {texts.kept}
      </Button>
    </section>
  );
}
