/** A small server on this machine that speaks the chat completions protocol, for pages of any origin. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { addressOf, stopServer } from "./site.ts";

/** What the server was asked. */
export interface Asked {
  authorization: string | undefined;
  model: string;
  /** The roles of the messages, in order. */
  roles: string[];
  /** The content of the last message. */
  last: string;
  tools: string[];
}

/** One answer: it writes pieces, and may wait between them. */
export type Answer = (stream: AnswerStream) => void | Promise<void>;

/** Where an answer is written. */
export interface AnswerStream {
  text(delta: string): void;
  call(name: string, input: object): void;
  /** Ends the answer. */
  end(reason: "stop" | "tool_calls"): void;
  /** Refuses instead of answering. */
  refuse(status: number, message: string): void;
  /** Resolves when the other side has gone. */
  gone: Promise<unknown>;
}

/** The running server. */
export interface ModelServer {
  baseUrl: string;
  asked: Asked[];
  close(): Promise<void>;
}

/** Starts a server that gives one answer after the other. */
export async function startModelServer(answers: Answer[]): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "authorization, content-type" };
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    asked.push(await readQuestion(request));
    await answers.shift()?.(openStream(response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { baseUrl: `${addressOf(server)}v1`, asked, close: () => stopServer(server) };
}

async function readQuestion(request: IncomingMessage): Promise<Asked> {
  let text = "";
  for await (const piece of request) text += String(piece);
  const body = JSON.parse(text) as {
    model: string;
    messages: { role: string; content: unknown }[];
    tools: { function: { name: string } }[];
  };
  return {
    authorization: request.headers.authorization,
    model: body.model,
    roles: body.messages.map(({ role }) => role),
    last: JSON.stringify(body.messages.at(-1)?.content),
    tools: body.tools.map((tool) => tool.function.name),
  };
}

function openStream(response: ServerResponse): AnswerStream {
  const send = (delta: object, finish_reason: string | null = null): void => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  };
  return {
    gone: once(response, "close"),
    text: (content) => send({ content }),
    call: (name, input) => {
      const id = `call-${name}`;
      send({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: "" } }] });
      // In two pieces, as models send them.
      const json = JSON.stringify(input);
      for (const part of [json.slice(0, 7), json.slice(7)])
        send({ tool_calls: [{ index: 0, function: { arguments: part } }] });
    },
    end: (reason) => {
      send({}, reason);
      response.end("data: [DONE]\n\n");
    },
    refuse: (status, message) => void response.writeHead(status).end(JSON.stringify({ error: { message } })),
  };
}
