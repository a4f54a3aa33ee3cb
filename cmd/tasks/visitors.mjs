// Visitors who chat until they are stopped, ask again what was not acknowledged, and know what was.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** Who looks at the dashboard. */
export const account = { username: "ana@clinica.example", password: "una frase bastante larga" };
const questions = ["¿Cuánto cuesta una limpieza?", "¿Atienden los sábados?", "¿Dónde están?"];
const json = { "Content-Type": "application/json" };
const forwarded = { "X-Forwarded-For": "198.51.100.7" }; // as what is in front of every process says it

/** Sends one message; rejects unless it was answered. */
export async function say(site, sessionId, messageId, message, headers = {}) {
  const answer = await fetch(`${site}/api/chatbot`, {
    method: "POST",
    headers: { ...json, ...headers },
    body: JSON.stringify({ sessionId, messageId, message }),
    signal: AbortSignal.timeout(45_000),
  });
  const text = await answer.text();
  if (answer.status !== 200 || !JSON.parse(text).response)
    throw new Error(`the chat answered ${answer.status}: ${text}`);
}

/**
 * Waits until the dashboard counts so many conversations and messages, the replies among them; gives what
 * it says instead where it does not.
 */
export async function awaitCount(site, { conversations, messages }) {
  let said = "";
  let cookie = "";
  for (let tries = 0; tries < 240; tries++) {
    try {
      cookie ||= await signIn(site);
      const answer = await fetch(`${site}/api/dashboard/kpis`, {
        headers: { ...forwarded, Cookie: cookie },
        signal: AbortSignal.timeout(30_000),
      });
      said = await answer.text();
      if (answer.status === 200) {
        const { totalConversations, totalMessages } = JSON.parse(said);
        if (totalConversations === conversations && totalMessages === messages) return undefined;
      }
    } catch (error) {
      said = `${error.message} ${error.cause ?? ""}`;
    }
    await pause(500);
  }
  return said;
}

async function signIn(site) {
  const body = JSON.stringify(account);
  const headers = { ...json, ...forwarded };
  const login = await fetch(`${site}/api/auth/login`, { method: "POST", headers, body });
  if (login.status !== 200) throw new Error(`the login answered ${login.status}`);
  return login.headers.get("Set-Cookie").split(";")[0];
}

export class Visitors {
  /** How many messages had to be sent again, and the last reason. */
  again = 0;
  reason = "";
  #site;
  #begun = 0;
  #conversations = 0;
  #messages = 0;
  #asking = 0;
  #resting = false;

  constructor(site) {
    this.#site = site;
  }

  begin(count) {
    for (let i = 0; i < count; i++) this.#talk();
  }

  /** Waits until so many more messages were acknowledged. */
  async answered(more) {
    const enough = this.#messages + more;
    const began = Date.now();
    while (this.#messages < enough) {
      if (Date.now() - began > 180_000)
        throw new Error(`visitors get no answers any more: ${this.reason}`);
      await pause(100);
    }
  }

  /** Lets all questions be answered, and no more be asked; gives what the dashboard is to count then. */
  async rest() {
    this.#resting = true;
    while (this.#asking > 0) await pause(50);
    return { conversations: this.#conversations, messages: 2 * this.#messages };
  }

  goOn() {
    this.#resting = false;
  }

  async #talk() {
    for (;;) {
      const sessionId = randomUUID();
      // Each from a network of its own: one address may begin so many conversations only.
      const number = this.#begun++;
      const from = `198.${18 + (number % 2)}.${(number >> 1) % 256}.9`;
      for (const [i, question] of questions.entries()) {
        await this.#ask(sessionId, question, from);
        if (i === 0) this.#conversations++;
        await pause(300);
      }
    }
  }

  async #ask(sessionId, question, from) {
    while (this.#resting) await pause(50);
    this.#asking++;
    const messageId = randomUUID();
    for (let first = true; ; first = false) {
      try {
        await say(this.#site, sessionId, messageId, question, { "X-Forwarded-For": from });
        break;
      } catch (error) {
        if (first) this.again++;
        this.reason = error.message;
        await pause(500);
      }
    }
    this.#messages++;
    this.#asking--;
  }
}
