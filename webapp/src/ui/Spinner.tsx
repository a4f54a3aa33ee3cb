import { interfaceTexts } from "../content/interface";

/** Fills the screen while nothing can be shown yet. */
export function PageSpinner({ label = interfaceTexts.loading }: { readonly label?: string }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-sand-50">
      <div role="status">
        <svg aria-hidden="true" className="size-10 animate-spin text-teal-600" viewBox="0 0 40 40">
          <circle
            className="opacity-20"
            cx="20"
            cy="20"
            fill="none"
            r="16"
            stroke="currentColor"
            strokeWidth="4"
          />
          <path
            d="M20 4a16 16 0 0 1 16 16"
            fill="none"
            stroke="currentColor"
            strokeLinecap="round"
            strokeWidth="4"
          />
        </svg>
        <h1 className="sr-only">{label}</h1>
      </div>
    </main>
  );
}
