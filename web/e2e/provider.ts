import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const direction = (title: string, conflict: string) => ({
  title,
  blurb: `${title}：私家侦探林深接下一桩寻人的委托，线索指向他最不想回去的旧港。`,
  cast: "林深：私家侦探，想查清真相；苏曼：委托人，想找回哥哥",
  conflict,
  length: "两章，每章约三百字",
  audience: "爱看悬疑的读者",
  platform: "网文平台",
});

const card = (name: string, role: string) => ({
  name,
  role_type: role,
  occupation: "侦探",
  traits: ["冷静", "固执"],
  weakness: "不肯求人",
  personality: "先看手再看脸",
  background: "当过港务警察",
  goals: "找到真相",
  conflicts: "真相会毁掉委托人",
  arc: "学会信任",
});

const node = (order: number, name: string, description: string) => ({
  order,
  name,
  kind: "chapter",
  description,
  goal: "推进调查",
  participants: ["林深", "苏曼"],
  words: 300,
});

const event = (title: string, timestamp: string, chapter: string) => ({
  title,
  description: "林深与苏曼见面",
  timestamp,
  participants: ["林深", "苏曼"],
  importance: 6,
  outline_node: chapter,
});

const turn = (title: string, kind: string, chapter: string, about: string) => ({
  title,
  description: "信任出现裂痕",
  kind,
  outline_node: chapter,
  events: [about],
});

const step = (id: number, agent: string, dependencies: number[]) => ({
  step_id: id,
  agent: `${agent}_agent`,
  task_description: `第 ${id} 步`,
  dependencies,
  estimated_tokens: 2000,
});

const FIRST = "第一章 雨夜来客";
const SECOND = "第二章 旧港";

const PROSE = `雨从傍晚下起，到了九点还没有停的意思。林深把最后一份卷宗推进抽屉，听见楼梯上有人数着台阶往上走。

敲门声响了三下，不轻不重。进来的女人收起伞，水顺着伞尖滴在地板上。她没有坐，先把一枚芯片放到桌上。

“我叫苏曼。”她说，“我哥哥三天前去了旧港，再没有回来。他只留下这个。”

林深拿起芯片，对着台灯看了一会儿。边缘有一道新的划痕，像是被人匆忙从卡槽里撬出来的。

“你打开过？”

“打不开。”苏曼摇头，“他说过，港务系统里有人在改船期，改一次，就有一个集装箱不见。”

林深没有接话。他当过七年港务警察，知道那种账本长什么样，也知道翻开它的人后来去了哪里。窗外的霓虹在积水里碎成一片一片，他想起离开旧港那天自己发过的誓。

“订金我先付一半。”苏曼把信封压在芯片旁边，手指有些发抖，声音却很稳，“找到人，剩下的都给您。找不到，您也要告诉我一句实话。”

林深看了看她湿透的袖口，终于把信封推了回去。

“先找人。”他说，“钱等天亮再谈。”`;

/** What a good model would answer to each role, told by how its instructions begin. */
const ANSWERS: readonly [string, unknown][] = [
  [
    "图书策划编辑",
    {
      directions: [
        direction("旧港来信", "查下去会毁掉委托人，不查会毁掉自己。"),
        direction("第七号集装箱", "每个证人都在等别人先开口。"),
        direction("雨停之前", "天亮以前必须有人认罪。"),
      ],
    },
  ],
  [
    "任务规划师",
    {
      requirement_analysis: {
        type: "new_creation",
        complexity: "medium",
        required_capabilities: ["outline"],
      },
      execution_plan: {
        steps: [
          step(1, "outline", []),
          step(2, "character", [1]),
          step(3, "plot", [1, 2]),
          step(4, "review", [1, 2, 3]),
        ],
      },
      reasoning: ["先有大纲"],
    },
  ],
  [
    "小说大纲策划",
    {
      title: "雨夜来客",
      outline_nodes: [
        node(1, FIRST, "苏曼带着一块芯片找到林深，请他寻找失踪的哥哥。"),
        node(2, SECOND, "林深黑进港务系统，发现苏曼隐瞒了芯片的来历。"),
      ],
      outline_summary: "一块芯片引出一桩失踪案",
      reasoning: ["两章足够"],
    },
  ],
  [
    "角色设计师",
    {
      characters: [card("林深", "protagonist"), card("苏曼", "supporting")],
      character_relations: [
        { from: "林深", to: "苏曼", type: "ally", strength: 0.6, description: "互相提防的搭档" },
      ],
      character_summary: "两个不说真话的人",
    },
  ],
  [
    "情节设计师",
    {
      timeline_events: [event("委托", "第1天", FIRST), event("识破", "第3天", SECOND)],
      plot_nodes: [
        turn("一块芯片", "conflict", FIRST, "委托"),
        turn("谎言败露", "climax", SECOND, "识破"),
        turn("和解", "resolution", SECOND, "识破"),
      ],
      plot_summary: "从委托到识破",
    },
  ],
  ["你是一位小说审稿人。", { quality_score: 90, issues: [], reasoning_chain: ["读过了"] }],
  [
    "一章一章地审",
    {
      score: 90,
      verdicts: ["task", "outline", "character", "continuity", "style", "pace", "language"].map(
        (dimension) => ({
          dimension,
          verdict: "holds",
          note: "成立",
        }),
      ),
      issues: [],
      suggestions: [],
      summary: "可以定稿",
    },
  ],
  ["资料员", { summary: "苏曼带着芯片来找林深", entities: [], events: [], facts: [], promises: [] }],
];

const PLAN = {
  task_type: "draft",
  goal: "让林深接下委托",
  point_of_view: "林深",
  scenes: [
    { title: "来客", location: null, participants: ["林深", "苏曼"], beats: ["苏曼说明来意"], words: 300 },
  ],
  must_keep: [],
  must_avoid: [],
  searches: [],
  reasoning: ["开门见山"],
};

type Request = { messages: { role: string; content: unknown }[]; stream?: boolean; model: string };

function answerTo({ messages }: Request): string {
  const text = messages.map(({ content }) => JSON.stringify(content)).join("\n");
  if (text.includes("执笔者")) return text.includes("task_type") ? JSON.stringify(PLAN) : PROSE;
  const found = ANSWERS.find(([beginning]) => text.includes(beginning));
  // Whatever else is asked is a trial: a few words, or a small value.
  return found ? JSON.stringify(found[1]) : '{"word": "青羽", "letters": 2}';
}

/** A provider that speaks the protocol of DeepSeek and knows one key; gives its address and what ends it. */
export async function provider(secret: string): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (request.headers.authorization !== `Bearer ${secret}`) {
        response.writeHead(401, { "Content-Type": "application/json" });
        response.end(
          JSON.stringify({ error: { message: "Authentication Fails", type: "authentication_error" } }),
        );
        return;
      }
      if (request.method === "GET") {
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(
          JSON.stringify({ object: "list", data: [{ id: "deepseek-flash" }, { id: "deepseek-pro" }] }),
        );
        return;
      }
      const asked = JSON.parse(body) as Request;
      const content = answerTo(asked);
      const usage = { prompt_tokens: 900, completion_tokens: 300, total_tokens: 1200 };
      const heading = { id: "c-1", created: 1, model: asked.model };
      if (!asked.stream) {
        const message = { role: "assistant", content };
        const choices = [{ index: 0, message, finish_reason: "stop" }];
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ ...heading, object: "chat.completion", choices, usage }));
        return;
      }
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      const chunk = (delta: object, finish: string | null, more: object = {}) =>
        response.write(
          `data: ${JSON.stringify({ ...heading, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
        );
      chunk({ role: "assistant", content }, null);
      chunk({}, "stop", { usage });
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
