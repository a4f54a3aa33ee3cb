import { useLayoutEffect, useSyncExternalStore } from "react";
import { create } from "zustand";

type Theme = "light" | "dark";

const storageKey = "bitacora-theme";
const systemDark = () => window.matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(storageKey);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined;
  }
}

const useChoice = create<{ readonly chosen: Theme | undefined }>()(() => ({ chosen: stored() }));

function choose(theme: Theme): void {
  useChoice.setState({ chosen: theme });
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // A browser without storage forgets the choice with the page.
  }
}

function subscribeToSystem(onChange: () => void): () => void {
  const query = systemDark();
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** Light or dark as the system has it, until the reader chooses; applied while the caller is shown. */
export function useTheme(): { readonly theme: Theme; readonly toggle: () => void } {
  const system = useSyncExternalStore<Theme>(subscribeToSystem, () =>
    systemDark().matches ? "dark" : "light",
  );
  const theme = useChoice(({ chosen }) => chosen) ?? system;

  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    return () => {
      delete document.documentElement.dataset.theme;
    };
  }, [theme]);

  return { theme, toggle: () => choose(theme === "dark" ? "light" : "dark") };
}
