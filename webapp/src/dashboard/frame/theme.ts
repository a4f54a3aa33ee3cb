import { useLayoutEffect } from "react";
import { create } from "zustand";
import { readStored, writeStored } from "../../ui/storage";
import { useMedia } from "../../ui/useMedia";

type Theme = "light" | "dark";

const storageKey = "bitacora-theme";

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

/** Light or dark as the system has it, until the reader chooses; applied while the caller is shown. */
export function useTheme(): { readonly theme: Theme; readonly toggle: () => void } {
  const system = useMedia("(prefers-color-scheme: dark)") ? "dark" : "light";
  const theme = useChoice(({ chosen }) => chosen) ?? system;

  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    return () => {
      delete document.documentElement.dataset.theme;
    };
  }, [theme]);

  return { theme, toggle: () => choose(theme === "dark" ? "light" : "dark") };
}
