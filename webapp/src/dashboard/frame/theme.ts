import { useLayoutEffect, useSyncExternalStore } from "react";
import { create } from "zustand";
import { readStored, writeStored } from "../../ui/storage";

type Theme = "light" | "dark";

const storageKey = "bitacora-theme";
const systemDark = () => window.matchMedia("(prefers-color-scheme: dark)");

function storedTheme(): Theme | undefined {
  const value = readStored(storageKey);
  return value === "light" || value === "dark" ? value : undefined;
}

const useChoice = create<{ readonly chosen: Theme | undefined }>()(() => ({
  chosen: storedTheme(),
}));

function choose(theme: Theme): void {
  useChoice.setState({ chosen: theme });
  writeStored(storageKey, theme);
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
