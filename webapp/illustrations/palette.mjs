// The colours of webapp/src/ui/styles.css: two hues and one warm accent.
export const teal = {
  50: "#eef6f5",
  100: "#d8eae8",
  200: "#b3d6d2",
  300: "#84bab6",
  400: "#519a97",
  500: "#2f7d7b",
  600: "#1d6665",
  700: "#145354",
  800: "#104345",
  900: "#0c3335",
  950: "#072325",
};
export const sand = {
  50: "#fbf9f5",
  100: "#f5f1e9",
  200: "#e9e2d4",
  300: "#d8ccb6",
  400: "#bfae90",
};
export const clay = {
  50: "#fcf1ea",
  100: "#f8dfd0",
  400: "#dd8a5e",
  500: "#cc7043",
  700: "#984a25",
};
export const white = "#ffffff";
