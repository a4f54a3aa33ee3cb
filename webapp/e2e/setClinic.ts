/** Lets a test know the clinic's facts, and the texts of the chat, as the pages do. */
import { setChatTexts } from "../src/content/chat";
import { setClinic } from "../src/content/clinic";
import facts from "./clinic.json" with { type: "json" };
import { pageTexts } from "./texts";

setClinic(facts);
setChatTexts(pageTexts.chat);
