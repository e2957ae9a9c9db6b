import { chapters } from "./chapters";
import { common } from "./common";
import { content } from "./content";
import { problem } from "./problem";
import { runs } from "./runs";
import { settings } from "./settings";
import { shelf } from "./shelf";
import { shell } from "./shell";
import { story } from "./story";
import { write } from "./write";

export const zh = { chapters, common, content, problem, runs, settings, shelf, shell, story, write };
