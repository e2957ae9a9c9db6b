import AxeBuilder from "@axe-core/playwright";
import { type Api, appearing, expect, test } from "./studio";

/** With `SCREENS` in the environment the pictures of `docs/screens` are taken anew. */
const FOLDER = process.env.SCREENS ? "../docs/screens" : undefined;
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const all = [
  ["zh", "light"],
  ["en", "dark"],
  ["zh", "dark"],
  ["en", "light"],
] as const;
/** Without pictures each language and each theme is looked at once. */
const looks = FOLDER ? all : all.slice(0, 2);

/** The pages of a book, below its address. */
const pages = [
  "",
  "/write/d-1",
  "/outline",
  "/lanes",
  "/characters",
  "/relations",
  "/timeline",
  "/world",
  "/ladders",
  "/promises",
  "/knowledge",
  "/encyclopedia",
  "/search",
  "/findings",
  "/runs",
  "/export",
  "/settings",
];

const words = {
  zh: { story: "一个灯塔看守人收到自己三十年前寄出的信", course: "为独立开发者写一门关于定价的短课程" },
  en: {
    story: "A lighthouse keeper gets a letter that he sent himself thirty years ago",
    course: "A short course on pricing for indie developers",
  },
};

type Begun = { run: string; project: string; status?: string };

/** A run that has come to its end, or waits. */
async function ended(api: Api, start: unknown): Promise<Begun> {
  const begun = await api.post<Begun>("/runs", { start });
  const status = async () => (await api.get<Begun>(`/runs/${begun.run}`)).status;
  await expect.poll(status, { timeout: 60_000 }).toMatch(/done|waiting/);
  return begun;
}

for (const [language, theme] of looks) {
  test(`every page is accessible and without errors: ${language}, ${theme}`, async ({
    page,
    api,
    sample,
  }) => {
    test.setTimeout(300_000);
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await appearing(page, language, theme);
    const project =
      language === "zh" ? sample : (await api.post<{ project: string }>("/samples", { language })).project;
    const documents = await api.get<{ documents: { id: string }[] }>(`/projects/${project}/story`);
    const first = documents.documents[0]?.id ?? "";
    const book = `/p/${project}`;
    const story = await ended(api, { kind: "create", requirement: words[language].story });
    const course = await ended(api, {
      kind: "produce",
      premise: words[language].course,
      autonomy: [["all", "auto"]],
    });
    const others = {
      run: `/p/${story.project}/runs/${story.run}`,
      content: `/p/${course.project}/content`,
    };
    const places = [
      ...["/", "/begin", "/inbox", "/settings"],
      ...pages.map((path) => book + path.replace("d-1", first)),
      ...Object.values(others),
    ];
    for (const place of places) {
      await page.goto(place);
      await page.getByRole("main").waitFor();
      await expect(page.locator("main h1, main [data-testid=prose]").first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
      const found = violations.map((violation) => ({
        rule: violation.id,
        where: violation.nodes.slice(0, 3).map((node) => `${node.target} ${node.any[0]?.message ?? ""}`),
      }));
      expect(found, `${place} in ${language}, ${theme}`).toEqual([]);
      if (FOLDER) {
        const [other] = Object.entries(others).find(([, path]) => path === place) ?? [];
        const name =
          other ?? place.replace(book, "/book").replace(`/${first}`, "").replaceAll("/", "-").slice(1);
        await page.screenshot({ path: `${FOLDER}/${name || "shelf"}.${language}.${theme}.png` });
      }
    }
    expect(errors).toEqual([]);
  });
}
