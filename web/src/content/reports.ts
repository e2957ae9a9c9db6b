/** What a research found out. */
export type Research = {
  question: string;
  /** The questions it was divided into, in order; none in reports of older releases. */
  questions: { question: string; perspective: string; answer: string }[];
  summary: string;
  /** Findings, each with the number of its question from 1; 0 for none. */
  findings: Finding[];
  sources: {
    number: number;
    title: string;
    url: string;
    readAt: string;
    characters: number;
    /** Authors, publisher and date, as far as the page names them, or the place in a document of one's own. */
    details: string[];
  }[];
  dropped: { title: string; url: string; reason: string }[];
  gaps: string[];
};

/** A claim of a research. */
export type Finding = { claim: string; sources: number[]; isSupported: boolean; question: number };

/** What simulated readers made of content. */
export type Simulation = {
  personas: { name: string; who: string; situation: string }[];
  paragraphs: number;
  failed: number;
  outcomes: {
    interaction: string;
    read: number;
    scored: number;
    mean: number | undefined;
    spread: number | undefined;
    apart: { high: Said; low: Said } | undefined;
  }[];
  points: { point: string; understood: number; all: number }[];
  objections: {
    paragraph: number | undefined;
    /** Where the paragraph stands; missing in reports of older releases. */
    place?: { title: string; paragraph: number };
    quotes: string[];
    sides: Said[];
    personas: number;
  }[];
  demand: { yes: number; maybe: number; no: number; unsaid: number } | undefined;
  curve: { paragraph: number; share: number }[];
  stops: (Said & { paragraph: number })[];
};

/** Somebody's words. */
export type Said = { persona: string; words: string };

/** How content was judged. */
export type Evaluation = {
  total: number | undefined;
  deviation: number | undefined;
  covered: number;
  runs: number;
  failed: number;
  criteria: {
    criterion: string;
    title: string;
    weight: number;
    mean: number | undefined;
    deviation: number | undefined;
    isUnreliable: boolean;
    why: string[];
    quotes: string[];
  }[];
};

type Members = Record<string, unknown>;

const members = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const each = <T>(value: unknown, read: (entry: Members) => T): T[] => list(value).map(members).map(read);
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] => list(value).filter((entry) => typeof entry === "string");
const known = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const count = (value: unknown): number => known(value) ?? 0;
const said = (value: unknown): Said => {
  const { persona, words } = members(value);
  return { persona: text(persona), words: text(words) };
};

const placeOf = (value: unknown) => {
  const { title, path, paragraph } = members(value);
  return { title: text(title) || text(path), paragraph: count(paragraph) };
};

const details = (source: Members): string[] => {
  const { authors, publisher, published } = members(source.imprint);
  return [...texts(authors), text(publisher), text(published), text(source.place)].filter(Boolean);
};

/** The value as a research report; nothing if it has another shape. */
export function asResearch(value: unknown): Research | undefined {
  const report = members(value);
  if (!Array.isArray(report.sources) || !Array.isArray(report.findings)) return undefined;
  return {
    question: text(report.question),
    questions: each(report.questions, (question) => ({
      question: text(question.question),
      perspective: text(question.perspective),
      answer: text(question.answer),
    })),
    summary: text(report.summary),
    findings: each(report.findings, (finding) => ({
      claim: text(finding.claim),
      sources: list(finding.sources).map(count),
      isSupported: finding.is_supported === true,
      question: count(finding.question),
    })),
    sources: each(report.sources, (source) => ({
      number: count(source.number),
      title: text(source.title),
      url: text(source.url),
      readAt: text(source.read_at),
      characters: count(source.characters),
      details: details(source),
    })),
    dropped: each(report.dropped, (page) => ({
      title: text(page.title),
      url: text(page.url),
      reason: text(page.reason),
    })),
    gaps: texts(report.gaps),
  };
}

/** The value as what simulated readers said; nothing if it has another shape. */
export function asSimulation(value: unknown): Simulation | undefined {
  const report = members(value);
  if (!Array.isArray(report.outcomes)) return undefined;
  const demand = report.demand ? members(report.demand) : undefined;
  const drop = members(report.drop_off);
  return {
    personas: each(report.personas, (persona) => ({
      name: text(persona.name),
      who: text(persona.who),
      situation: text(persona.situation),
    })),
    paragraphs: count(report.paragraphs),
    failed: count(report.failed),
    outcomes: each(report.outcomes, (outcome) => {
      const apart = outcome.disagreement ? members(outcome.disagreement) : undefined;
      return {
        interaction: text(outcome.interaction),
        read: count(outcome.read),
        scored: count(outcome.scored),
        mean: known(outcome.mean),
        spread: known(outcome.spread),
        apart: apart && { high: said(apart.high), low: said(apart.low) },
      };
    }),
    points: each(report.points, (point) => {
      const understood = list(point.understood_by).length;
      return { point: text(point.point), understood, all: understood + list(point.missed_by).length };
    }),
    objections: each(report.objections, (group) => ({
      paragraph: known(group.paragraph),
      ...(group.place ? { place: placeOf(group.place) } : {}),
      quotes: texts(group.quotes),
      sides: list(group.sides).map(said),
      personas: count(group.personas),
    })),
    demand: demand && {
      yes: count(demand.yes),
      maybe: count(demand.maybe),
      no: count(demand.no),
      unsaid: count(demand.unsaid),
    },
    curve: each(drop.curve, (at) => ({ paragraph: count(at.paragraph), share: count(at.share) })),
    stops: each(drop.stops, (stop) => ({ ...said(stop), paragraph: count(stop.paragraph) })),
  };
}

/** The value as scores; nothing if it has another shape. */
export function asEvaluation(value: unknown): Evaluation | undefined {
  const report = members(value);
  if (!Array.isArray(report.criteria) || !("covered" in report)) return undefined;
  return {
    total: known(report.total),
    deviation: known(report.deviation),
    covered: count(report.covered),
    runs: count(report.runs),
    failed: count(report.failed),
    criteria: each(report.criteria, (rating) => ({
      criterion: text(rating.criterion),
      title: text(rating.title) || text(rating.criterion),
      weight: count(rating.weight),
      mean: known(rating.mean),
      deviation: known(rating.deviation),
      isUnreliable: rating.is_unreliable === true,
      why: texts(rating.why),
      quotes: each(rating.quotes, (quoted) => text(quoted.quote)),
    })),
  };
}

/** A mean with how far the single scores lie around it, as `82 ± 4`. */
export function scored(mean: number | undefined, spread: number | undefined): string {
  if (mean === undefined) return "–";
  return spread === undefined ? mean.toFixed(0) : `${mean.toFixed(0)} ± ${spread.toFixed(0)}`;
}
