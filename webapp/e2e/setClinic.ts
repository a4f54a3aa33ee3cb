/** Lets a test know the clinic's facts, and the texts of the chat, as the pages do. */
import { setChatTexts } from "../src/content/chat";
import { type ClinicAnswer, setClinic } from "../src/content/clinic";
import facts from "./clinic.json" with { type: "json" };
import { pageTexts } from "./texts";

setClinic(facts as ClinicAnswer);
setChatTexts(pageTexts.chat);
