import { type FormEvent, type InputHTMLAttributes, useEffect, useId, useState } from "react";
import { ApiError } from "../api/errors";
import { problemOf } from "../api/problem";
import { clinic } from "../content/clinic";
import { loginTexts } from "../content/login";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { ErrorAlert } from "../ui/ErrorAlert";
import { ChevronLeftIcon } from "../ui/icons";
import { Logo } from "../ui/Logo";
import { showToast } from "../ui/toasts";
import { usePageTitle } from "../ui/usePageTitle";
import { useLogin } from "./session";
import { endSession, useSignOutState } from "./signOut";

const texts = loginTexts;

/** The staff's login. It only signs in; the route around it leads on. */
export function LoginPage() {
  usePageTitle(texts.pageTitle);
  const login = useLogin();
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  // Undefined until the server asks for it.
  const [code, setCode] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (login.isPending) return;
    const missing =
      code === undefined
        ? (!username.trim() || !password) && texts.missing
        : !code.trim() && texts.code.missing;
    if (missing) {
      showToast({ variant: "destructive", ...missing });
      return;
    }
    try {
      await login.mutateAsync({ username: username.trim(), password, ...(code && { code }) });
      showToast(texts.welcome);
    } catch (error) {
      if (code === undefined && problemOf(error)?.fields?.code) {
        setCode("");
        return;
      }
      const refused = code === undefined ? texts.refused : texts.code.refused;
      const reason = error instanceof ApiError ? refused : texts.unreachable;
      showToast({ variant: "destructive", ...reason });
    }
  };

  return (
    <main className="grid min-h-dvh place-items-center bg-sand-50 px-4 py-10">
      <div className="w-full max-w-[26rem]">
        <OpenSessionWarning />
        <Card className="p-6 sm:p-9">
          <Logo className="size-12" />
          <h1 className="mt-5 font-semibold text-2xl text-ink-900 tracking-tight">{texts.title}</h1>
          <p className="mt-1 text-ink-500">{texts.subtitle}</p>
          <form className="mt-7 flex flex-col gap-5" noValidate onSubmit={submit}>
            {code === undefined ? (
              <>
                <Field
                  autoComplete="username"
                  disabled={login.isPending}
                  label={texts.email}
                  onChange={setUsername}
                  type="email"
                  value={username}
                />
                <Field
                  autoComplete="current-password"
                  disabled={login.isPending}
                  label={texts.password}
                  onChange={setPassword}
                  type="password"
                  value={password}
                />
              </>
            ) : (
              <Field
                autoComplete="one-time-code"
                autoFocus
                hint={texts.code.hint}
                inputMode="numeric"
                label={texts.code.label}
                onChange={setCode}
                // It keeps the focus, for the next code.
                readOnly={login.isPending}
                type="text"
                value={code}
              />
            )}
            <Button className="mt-1 w-full" disabled={login.isPending} size="large" type="submit">
              {login.isPending
                ? texts.pending
                : code === undefined
                  ? texts.submit
                  : texts.code.submit}
            </Button>
            {code !== undefined && (
              <Button
                disabled={login.isPending}
                onClick={() => {
                  setCode(undefined);
                  setPassword("");
                }}
                variant="quiet"
              >
                {texts.code.back}
              </Button>
            )}
          </form>
        </Card>
        <p className="mt-6 text-center">
          {/* A page of its own: the classes of the staff's would disturb the order of the site's. */}
          <a
            className="inline-flex min-h-11 items-center gap-1 rounded-lg px-2 font-medium text-[0.9375rem] text-teal-700 hover:underline"
            href="/"
          >
            <ChevronLeftIcon className="size-4" />
            {`${texts.backToSite} · ${clinic.name}`}
          </a>
        </p>
      </div>
    </main>
  );
}

/** Warns of a sign-out that the server may not know of, and repeats it once there is a network. */
function OpenSessionWarning() {
  const failed = useSignOutState() === "failed";
  const repeat = async () => {
    if (await endSession()) showToast(texts.closed);
  };
  useEffect(() => {
    if (!failed) return;
    window.addEventListener("online", repeat);
    return () => window.removeEventListener("online", repeat);
  });

  return failed ? (
    <div className="mb-4">
      <ErrorAlert message={texts.sessionOpen} onRetry={repeat} />
    </div>
  ) : null;
}

interface FieldProps
  extends Pick<
    InputHTMLAttributes<HTMLInputElement>,
    "autoFocus" | "disabled" | "inputMode" | "readOnly"
  > {
  readonly label: string;
  readonly hint?: string;
  readonly type: "email" | "password" | "text";
  readonly autoComplete: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ label, hint, onChange, ...input }: FieldProps) {
  const id = useId();
  const hintID = useId();
  return (
    <div>
      <label className="font-medium text-[0.9375rem] text-ink-900" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        aria-describedby={hint && hintID}
        className="mt-1.5 block min-h-12 w-full rounded-xl border border-ink-400 bg-white px-3.5 text-base text-ink-900 focus-visible:border-teal-600 focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sand-100 disabled:text-ink-500"
        id={id}
        onChange={(event) => onChange(event.target.value)}
        required
      />
      {hint && (
        <p className="mt-1.5 text-ink-600 text-sm" id={hintID}>
          {hint}
        </p>
      )}
    </div>
  );
}
