import { readStored, writeStored } from "./storage";

const key = "dashboard-begins-today";

/** Whether this browser goes on to the page of today after signing in, and not to the dashboard. */
export const beginsToday = () => readStored(key) !== null;

export const setBeginsToday = (on: boolean) => writeStored(key, on ? "1" : undefined);
