import { contactTexts } from "../../content/dashboardContacts";
import type { ContactStatus } from "./queries";

/** All of them, in the order of the work. */
export const statuses = Object.keys(contactTexts.status) as ContactStatus[];
