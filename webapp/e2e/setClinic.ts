/** Lets a test know the clinic's facts as the pages do. */
import { setClinic } from "../src/content/clinic";
import facts from "./clinic.json" with { type: "json" };

setClinic(facts);
