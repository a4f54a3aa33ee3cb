import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link } from "wouter";
import { interfaceTexts } from "../content/interface";
import { classes } from "./classes";

type Variant = "primary" | "secondary" | "quiet" | "inverse" | "outline";
type Size = "small" | "medium" | "large" | "icon";

const variants: Record<Variant, string> = {
  primary: "bg-teal-700 text-white hover:bg-teal-800 active:bg-teal-900",
  secondary:
    "border border-sand-300 bg-white text-ink-900 hover:border-teal-400 hover:bg-teal-50 active:bg-teal-100",
  quiet: "text-teal-700 hover:bg-teal-50 active:bg-teal-100",
  outline:
    "border border-white/60 text-white hover:bg-white/10 active:bg-white/20 focus-visible:outline-white",
  inverse: "bg-white text-teal-800 hover:bg-sand-100 active:bg-sand-200",
};

const sizes: Record<Size, string> = {
  small: "min-h-9 gap-1.5 rounded-lg px-3 text-sm",
  medium: "min-h-11 gap-2 rounded-xl px-4.5 text-[0.9375rem]",
  icon: "size-11 shrink-0 rounded-xl",
  large: "min-h-13 gap-2.5 rounded-xl px-6 text-base",
};

export function buttonClasses(variant: Variant, size: Size, className?: string): string {
  return classes(
    "inline-flex items-center justify-center font-semibold transition-colors sm:whitespace-nowrap",
    "disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60",
    variants[variant],
    sizes[size],
    className,
  );
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: Variant;
  readonly size?: Size;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant = "primary", size = "medium", className, ...rest }: ButtonProps) {
  return <button type="button" {...rest} className={buttonClasses(variant, size, className)} />;
}

export interface ButtonLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly variant?: Variant;
  readonly size?: Size;
}

/** A link that looks like a button. */
export function ButtonLink({
  variant = "primary",
  size = "medium",
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a {...rest} className={buttonClasses(variant, size, className)}>
      {children}
    </a>
  );
}

interface LinkButtonProps {
  readonly href: string;
  readonly variant?: Variant;
  readonly size?: Size;
  readonly className?: string;
  /** Its name where it shows an icon alone, or says too little. */
  readonly label?: string;
  /** What the other page is told beside its address. */
  readonly state?: unknown;
  readonly children: ReactNode;
}

/** A link to another page of the site that looks like a button. */
export function LinkButton(props: LinkButtonProps) {
  const { variant = "primary", size = "medium", className, label, ...rest } = props;
  const look = buttonClasses(variant, size, className);
  return <Link {...rest} aria-label={label} className={look} title={label} />;
}

/** A link that looks like a button, opens a new tab and says so. */
export function ExternalButtonLink({ children, ...rest }: ButtonLinkProps) {
  return (
    <ButtonLink {...rest} rel="noopener noreferrer" target="_blank">
      {children}
      <span className="sr-only">{interfaceTexts.newTab}</span>
    </ButtonLink>
  );
}
