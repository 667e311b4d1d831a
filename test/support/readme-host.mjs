/** Loaded before a README block: answers as a model would, and lets nothing else out. */

const ANSWER = [
  { choices: [{ index: 0, delta: { role: "assistant", content: "Done." } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
];

globalThis.fetch = async (input) => {
  const url = String(input instanceof Request ? input.url : input);
  if (!url.endsWith("/chat/completions"))
    throw new Error(`A README block asks for ${url}; in the test there is no network.`);
  const events = [...ANSWER.map((part) => JSON.stringify(part)), "[DONE]"];
  const body = events.map((event) => `data: ${event}\n\n`).join("");
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};
