//! Simulated consumers by rules: countable properties of the content, no judgement.
//!
//! All personas stop at the same place, because the rules see only the text and not the person; the answers say so.

use qingyu_agents::production::consumers::{ConsumerReadingContext, Personas, PersonasContext};
use qingyu_knowledge::words::{TextWord, WordKind, WordSplitter};
use qingyu_production::content::Passage;
use qingyu_production::simulation::{
    ComprehensionAnswer, DropOffAnswer, ImpressionAnswer, Interaction, ObjectionAnswer, Persona, PersonaReading,
    PurchaseAnswer, Reaction, Understood,
};
use qingyu_story::prose::editors_count;
use qingyu_story::{Language, Prose, says_something, without_placeholders};

/// Length of a long paragraph, in characters or words.
const LONG_PARAGRAPH: (usize, usize) = (300, 150);
/// Length of a long average sentence; the English number is the upper limit of plain-language guides.
const LONG_SENTENCE: (usize, usize) = (60, 35);
/// Minimum share of a point's words in the content for the point to come across, in percent.
const ENOUGH: u8 = 50;

/// Returns the reading of a persona, as far as rules can tell: what was asked, and nothing else.
pub(crate) fn read(reading: &ConsumerReadingContext) -> PersonaReading {
    let is_asked = |interaction: Interaction| reading.interactions.iter().any(|name| name == interaction.name());
    let Reaction { words, quotes, .. } = first_impression(reading);
    let first = ImpressionAnswer { score: None, words, quotes };
    let Reaction { score, words, understood, .. } = comprehension(reading);
    let told = ComprehensionAnswer { score, words, understood };
    let objected = objection(reading);
    let words = say(
        reading.language,
        "离线助手不判断是否购买。",
        "The offline model does not judge whether anybody would buy.",
    );
    let bought = PurchaseAnswer { words, ..PurchaseAnswer::default() };
    let Reaction { words, stops_at, .. } = drop_off(reading);
    let stopped = DropOffAnswer { stops_at, words };
    PersonaReading {
        first_impression: Some(first).filter(|_| is_asked(Interaction::FirstImpression)),
        comprehension: Some(told).filter(|_| is_asked(Interaction::Comprehension)),
        objection: Some(objected).filter(|_| is_asked(Interaction::Objection)),
        purchase: Some(bought).filter(|_| is_asked(Interaction::Purchase)),
        drop_off: Some(stopped).filter(|_| is_asked(Interaction::DropOff)),
    }
}

fn say(language: Language, zh: &str, en: &str) -> String {
    match language {
        Language::Zh => zh.to_owned(),
        Language::En => en.to_owned(),
    }
}

/// Returns the limit for the language of a text.
fn limit(prose: &Prose, limits: (usize, usize)) -> usize {
    match prose.language {
        Language::Zh => limits.0,
        Language::En => limits.1,
    }
}

fn first_impression(reading: &ConsumerReadingContext) -> Reaction {
    let Some(first) = reading.passages.first() else { return nothing(reading.language) };
    // Placeholders are not read by a reader.
    let length_of = |passage: &Passage| editors_count(&without_placeholders(&passage.text), reading.language);
    let length: usize = reading.passages.iter().map(length_of).sum();
    let sentences = Prose::of(&first.text).sentences;
    let mut quotes = sentences.into_iter().map(|sentence| first.text[sentence.range].to_owned());
    let quote = quotes.find(|sentence| says_something(sentence));
    let first = length_of(first);
    let paragraphs = reading.passages.len();
    let words = match reading.language {
        Language::Zh => {
            format!("按规则计算：共 {paragraphs} 段、{length} 字，第一段 {first} 字。离线助手不判断吸引力。")
        }
        Language::En => format!(
            "Counted by rules: {paragraphs} paragraphs, {length} words, {first} in the first. The offline model does not judge \
             how attractive it is."
        ),
    };
    Reaction { words, quotes: quote.into_iter().collect(), ..Reaction::default() }
}

fn nothing(language: Language) -> Reaction {
    Reaction { words: say(language, "没有内容可读。", "There is nothing to read."), ..Reaction::default() }
}

/// Returns the words of a text without duplicates: Latin words whole, Chinese as pairs of characters.
fn words_of(words: &WordSplitter, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for TextWord { text: word, kind, .. } in words.cut(text) {
        let letters: Vec<char> = word.to_lowercase().chars().collect();
        let parts: Vec<String> = match kind {
            WordKind::Run if letters.len() > 2 => letters.windows(2).map(|pair| pair.iter().collect()).collect(),
            _ => vec![letters.iter().collect()],
        };
        for part in parts {
            if !found.contains(&part) {
                found.push(part);
            }
        }
    }
    found
}

/// Returns the first passage with a word.
fn place(passages: &[(usize, String)], word: &str) -> Option<usize> {
    passages.iter().find(|(_, text)| text.contains(word)).map(|(number, _)| *number)
}

/// Returns an iterator over the paragraphs, without headings of unwritten sections.
fn written(passages: &[Passage]) -> impl Iterator<Item = &Passage> {
    let level = |passage: &Passage| passage.text.len() - passage.text.trim_start_matches('#').len();
    let is_written = move |at: usize| {
        let own = level(&passages[at]);
        let below = passages[at + 1..].iter().take_while(|next| level(next) == 0 || level(next) > own);
        own == 0 || below.filter(|next| level(next) == 0).any(|next| says_something(&next.text))
    };
    (0..passages.len()).filter(move |at| is_written(*at)).map(|at| &passages[at])
}

fn comprehension(reading: &ConsumerReadingContext) -> Reaction {
    let words = WordSplitter::of([]);
    let read = |passage: &Passage| (passage.number, without_placeholders(&passage.text).to_lowercase());
    let passages: Vec<(usize, String)> = written(&reading.passages).map(read).collect();
    let is_there = |word: &String| place(&passages, word).is_some();
    let understood = |point: &String| {
        let of_point = words_of(&words, &without_placeholders(point));
        let there = of_point.iter().filter(|word| is_there(word)).count();
        Understood {
            point: point.clone(),
            is_understood: !of_point.is_empty() && percent(there, of_point.len()) >= ENOUGH,
        }
    };
    let persona = &reading.persona;
    let asked = [persona.wants.as_str(), persona.doubts.as_str()];
    let asked = asked.into_iter().chain(reading.points.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
    let asked = words_of(&words, &without_placeholders(&asked));
    let there: Vec<(&String, usize)> = asked.iter().filter_map(|word| Some((word, place(&passages, word)?))).collect();
    let shown: Vec<String> = there.iter().take(6).map(|(word, number)| format!("{word} [{number}]")).collect();
    let score = (!asked.is_empty()).then(|| percent(there.len(), asked.len()));
    let told = match (reading.language, asked.is_empty()) {
        (Language::Zh, true) => "没有给出要点，也没有读者的需求，无从计算。".into(),
        (Language::En, true) => "There are no points and no wants of the reader to look for.".into(),
        (Language::Zh, false) => format!(
            "按规则计算：需求和要点的 {} 个词（汉字两字一组）里有 {} 个在内容里出现（方括号里是段号）：{}。离线助手不判断是否真的读懂。",
            asked.len(),
            there.len(),
            if shown.is_empty() { "无".into() } else { shown.join("、") }
        ),
        (Language::En, false) => format!(
            "Counted by rules: {} of {} words of wants and points occur in the content (paragraphs in brackets): {}. The \
             offline model does not judge whether they are understood.",
            there.len(),
            asked.len(),
            if shown.is_empty() { "none".into() } else { shown.join(", ") }
        ),
    };
    let understood = reading.points.iter().map(understood).collect();
    Reaction { score, words: told, understood, ..Reaction::default() }
}

/// Returns a part of a whole in percent.
pub(crate) fn percent(part: usize, whole: usize) -> u8 {
    u8::try_from(part * 100 / whole.max(1)).unwrap_or(100)
}

/// Returns no objection: what is still to be written is no content, and rules have no opinion.
fn objection(reading: &ConsumerReadingContext) -> ObjectionAnswer {
    let words = say(
        reading.language,
        "按规则看不出异议：离线助手没有意见，待写的地方不算内容。",
        "The rules see no objection: the offline model has no opinion, and what is to be written is no content.",
    );
    ObjectionAnswer { words, objections: Vec::new() }
}

fn drop_off(reading: &ConsumerReadingContext) -> Reaction {
    let too_long = |passage: &&Passage| {
        let prose = Prose::of(&passage.text);
        let mean = prose.length / prose.sentences.len().max(1);
        prose.length > limit(&prose, LONG_PARAGRAPH) || mean > limit(&prose, LONG_SENTENCE)
    };
    let stop = reading.passages.iter().find(too_long);
    let words = match (reading.language, stop) {
        (Language::Zh, Some(passage)) => format!(
            "按规则计算：第 {} 段第一个超过界限（一段 {} 字，平均一句 {} 字）。规则只看文字，不分读者。",
            passage.number, LONG_PARAGRAPH.0, LONG_SENTENCE.0
        ),
        (Language::En, Some(passage)) => format!(
            "Counted by rules: paragraph {} is the first above the limit ({} words, or {} words in a mean sentence). The \
             rules see the text, not the reader.",
            passage.number, LONG_PARAGRAPH.1, LONG_SENTENCE.1
        ),
        (Language::Zh, None) => "按规则计算：没有过长的段落和句子。规则只看文字，不分读者。".into(),
        (Language::En, None) => {
            "Counted by rules: no paragraph or sentence is too long. The rules see the text, not the reader.".into()
        }
    };
    Reaction { words, stops_at: stop.map(|passage| passage.number), ..Reaction::default() }
}

/// Returns three attitudes towards the user's project; people are not invented.
pub(crate) fn personas(asking: &PersonasContext) -> Personas {
    let premise = asking.premise.trim();
    let zh = asking.language == Language::Zh;
    let rows = match zh {
        true => [
            ("正需要的人", "正在找这样的内容", "马上能用上", "会不会太浅"),
            ("将信将疑的人", "听说过类似的，不太相信", "看到证据", "是不是又一份空话"),
            ("路过的人", "不是主要对象，偶然看到", "很快知道和自己有没有关系", "和我有什么关系"),
        ],
        false => [
            ("who needs it", "is looking for just this", "to use it at once", "whether it is too shallow"),
            (
                "who doubts it",
                "has heard of the like and does not believe it",
                "to see evidence",
                "whether it is empty talk",
            ),
            (
                "who comes across it",
                "is not the one it is made for",
                "to know quickly whether it concerns them",
                "what it has to do with them",
            ),
        ],
    };
    let said_by = match (zh, premise.is_empty()) {
        (true, true) => "（按规则拟的态度，不是真实的人）".to_owned(),
        (true, false) => format!("：{premise}（按规则拟的态度，不是真实的人）"),
        (false, true) => " (an attitude by rules, not a person)".to_owned(),
        (false, false) => format!(": {premise} (an attitude by rules, not a person)"),
    };
    let persona = |(name, who, wants, doubts): (&str, &str, &str, &str)| Persona {
        name: name.into(),
        who: format!("{who}{said_by}"),
        wants: wants.into(),
        doubts: doubts.into(),
        ..Persona::default()
    };
    Personas { personas: rows.into_iter().take(asking.how_many.max(1)).map(persona).collect() }
}

#[cfg(test)]
mod tests {
    use qingyu_production::content::{Content, Reading, reading};
    use qingyu_production::simulation::Scales;

    use super::*;

    fn passages(text: &str) -> Reading {
        reading(&[Content { text: text.into(), ..Content::default() }], 100_000)
    }

    fn asked(language: Language, interaction: Interaction, text: &str) -> (ConsumerReadingContext, Reading) {
        let read = passages(text);
        let context = ConsumerReadingContext {
            language,
            persona: Persona { name: "小王".into(), wants: "学会定价".into(), ..Persona::default() },
            interactions: vec![interaction.name().to_owned()],
            scales: Scales::of(language),
            points: if interaction == Interaction::Comprehension {
                vec!["按价值定价".into(), "跳舞唱歌".into()]
            } else {
                Vec::new()
            },
            expectations: Vec::new(),
            passages: read.passages.clone(),
            left_out: Vec::new(),
        };
        (context, read)
    }

    /// The reaction in the one interaction that is asked.
    fn react(context: &ConsumerReadingContext) -> Reaction {
        let asked = Interaction::ALL.into_iter().find(|kind| context.interactions[0] == kind.name()).unwrap();
        super::read(context).reaction(asked).unwrap()
    }

    #[test]
    fn answers_pass_the_check_and_say_what_they_are() {
        let texts = [
            "定价要按价值。〔待写：一个例子〕\n然后涨价。",
            "Price by value. 〔to write: an example〕",
            "短",
            &"长".repeat(400),
        ];
        for text in texts {
            for interaction in Interaction::ALL {
                for (language, says) in [(Language::Zh, ["规则", "离线"]), (Language::En, ["rules", "offline"])] {
                    let (context, reading) = asked(language, interaction, text);
                    let said = super::read(&context);
                    assert_eq!(
                        said.check(&[interaction], &reading, &context.points, language),
                        [""; 0],
                        "{interaction:?} {said:?}"
                    );
                    let reaction = react(&context);
                    assert!(says.iter().any(|word| reaction.words.contains(word)), "{}", reaction.words);
                    assert_eq!(reaction.would_buy, None);
                }
            }
        }
    }

    #[test]
    fn words_are_counted_where_they_are() {
        let (context, _) = asked(Language::Zh, Interaction::Comprehension, "天气很好。\n定价要按价值。");
        let reaction = react(&context);
        let understood: Vec<bool> = reaction.understood.iter().map(|point| point.is_understood).collect();
        assert_eq!(understood, [true, false], "{}", reaction.words);
        assert!(reaction.words.contains("定价 [2]"), "{}", reaction.words);
        let nothing = ConsumerReadingContext { points: Vec::new(), persona: Persona::default(), ..context };
        assert_eq!(react(&nothing).score, None);
    }

    #[test]
    fn what_is_still_to_be_written_is_not_understood() {
        let text = "〔待写：按价值定价的一个例子〕\n[to be written] 跳舞唱歌〔待补：跳舞〕";
        let (context, _) = asked(Language::Zh, Interaction::Comprehension, text);
        let context = ConsumerReadingContext { persona: Persona::default(), ..context };
        let reaction = react(&context);
        let understood: Vec<bool> = reaction.understood.iter().map(|point| point.is_understood).collect();
        assert_eq!(understood, [false, true], "{}", reaction.words);
        let frame = "## 按价值定价\n〔待写：按价值定价〕\n## 跳舞\n跳舞唱歌。";
        let framed = react(&ConsumerReadingContext {
            persona: Persona::default(),
            ..asked(Language::Zh, Interaction::Comprehension, frame).0
        });
        let understood: Vec<bool> = framed.understood.iter().map(|point| point.is_understood).collect();
        assert_eq!(understood, [false, true], "a heading alone is no text: {}", framed.words);
        let open = ConsumerReadingContext { points: vec!["〔待写：一句话的回答〕".into()], ..context };
        assert_eq!((react(&open).score, react(&open).understood[0].is_understood), (None, false));
        let (context, _) = asked(Language::Zh, Interaction::FirstImpression, "〔待写：开头〕\n两字");
        assert!(react(&context).words.contains("2 字，第一段 2 字"), "{}", react(&context).words);
    }

    #[test]
    fn long_paragraphs_stop_and_gaps_are_no_objections() {
        let text = format!("好。\n〔待写：例子〕和〔旁白〕和〔待补：数字〕\n{}", "长".repeat(301));
        let (context, reading) = asked(Language::Zh, Interaction::Objection, &text);
        assert!(react(&context).objections.is_empty() && reading.open[0].placeholders == 2);
        let (context, _) = asked(Language::Zh, Interaction::DropOff, &text);
        assert_eq!(react(&context).stops_at, Some(3));
        let (context, _) = asked(Language::Zh, Interaction::DropOff, "好。\n也好。");
        assert_eq!(react(&context).stops_at, None);
    }

    #[test]
    fn personas_are_attitudes_and_say_so() {
        let asking = PersonasContext { premise: "定价课".into(), how_many: 2, ..PersonasContext::default() };
        let made = personas(&asking).personas;
        assert_eq!(made.len(), 2);
        assert!(made.iter().all(|persona| persona.who.contains("不是真实的人") && persona.who.contains("定价课")));
    }
}
