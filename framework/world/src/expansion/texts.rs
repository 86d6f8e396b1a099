//! `${NAME}`, `${NAME|default}`, `$env{NAME}`, `$(command)` and `$f{expression}` in texts.
//!
//! The peer has two engines: one replaces names in the text of an included file before it is parsed, the
//! other in single values when they are read. Here every value is evaluated once, with what both know.

use std::rc::Rc;

use compact_str::CompactString;

use super::bare::Bare;
use super::{Context, Expansion, Scope, shell};
use crate::diagnostics::Severity;
use crate::expression::{self, Key};
use crate::sources::Span;
use crate::tag::did_you_mean;
use crate::xml::{Origin, Text};

/// Deepest nesting of replacements.
pub(super) const MAX_DEPTH: usize = 64;
/// Longest value that replacements may make, in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// Most replacements in one value.
const MAX_REPLACEMENTS: usize = 10_000;
/// Most names that a message lists.
const MAX_LISTED: usize = 30;

impl Expansion {
    /// The final value of a text. Where there is none, the error has been reported.
    #[inline(never)]
    pub(crate) fn text(&mut self, text: &Text, context: &Context) -> Text {
        if !text.content.contains('$') {
            return text.clone();
        }
        let (key, span) = (self.key(text.span, context), text.span);
        let (draws, replacements) = (0, 0);
        let mut evaluation =
            Evaluation { expansion: self, context, text, key, span, draws, replacements };
        match evaluation.expand(&text.content, &context.scope, 0) {
            Ok(value) => Text { content: value.trim().into(), span, origin: Origin::Computed },
            Err(mistake) => {
                self.report_mistake(mistake, span);
                Text { origin: Origin::Failed, ..text.clone() }
            }
        }
    }

    fn report_mistake(&mut self, mistake: Mistake, whole: Span) {
        if !mistake.told {
            let (severity, span) = (Severity::Error, mistake.span.unwrap_or(whole));
            let Mistake { message, label, notes, .. } = mistake;
            self.report.say(severity, Some(span), message, label, notes);
        }
    }

    /// The value of a text, or none with the error reported.
    #[inline(never)]
    pub(super) fn value(&mut self, text: &Text, context: &Context) -> Option<CompactString> {
        let text = self.text(text, context);
        (text.origin != Origin::Failed).then_some(text.content)
    }

    /// The key of the draws at a place.
    pub(super) fn key(&self, span: Span, context: &Context) -> Key {
        self.draws.with(context.path.0).with(self.place(span, context).0)
    }

    /// A place in a file; within an instance, seen from its start.
    pub(super) fn place(&self, span: Span, context: &Context) -> Key {
        let origin = context.origin.filter(|origin| origin.file == span.file);
        let offset = span.start.wrapping_sub(origin.map_or(0, |origin| origin.start));
        self.files.key(span.file).with(u64::from(offset))
    }
}

#[derive(Default)]
pub(super) struct Mistake {
    message: String,
    label: String,
    notes: Vec<String>,
    /// The part of the text that is wrong, where it is known.
    span: Option<Span>,
    /// It follows from one that has been reported.
    told: bool,
}

impl Mistake {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// One that follows from another.
    pub(super) fn told() -> Self {
        Self { told: true, ..Self::default() }
    }

    /// It lies here, unless a closer place is known.
    fn within(self, span: Option<Span>) -> Self {
        Self { span: self.span.or(span), ..self }
    }

    fn with_help(message: impl Into<String>, help: &str) -> Self {
        Self { notes: vec![format!("help: {help}")], ..Self::new(message) }
    }
}

/// One text that is being evaluated.
pub(super) struct Evaluation<'e> {
    pub expansion: &'e mut Expansion,
    pub context: &'e Context,
    /// The whole of it.
    text: &'e Text,
    /// Of its draws.
    pub key: Key,
    pub span: Span,
    /// Made so far.
    pub draws: u64,
    replacements: usize,
}

impl Evaluation<'_> {
    /// `text` with everything replaced; names in it are those of `scope`.
    fn expand(&mut self, text: &str, scope: &Rc<Scope>, depth: usize) -> Result<String, Mistake> {
        if depth > MAX_DEPTH {
            return Err(Mistake::new("names refer to each other without end"));
        }
        self.expansion.budget.work(text.len()).map_err(Mistake::new)?;
        let mut result = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            result.push_str(&rest[..dollar]);
            rest = &rest[dollar..];
            let Some(kind) = ["${", "$env{", "$f{", "$("].iter().find(|k| rest.starts_with(**k))
            else {
                result.push('$');
                rest = &rest[1..];
                continue;
            };
            let replacement = self.replacement(kind, &rest[kind.len()..], scope, depth);
            let (piece, after) =
                replacement.map_err(|mistake| mistake.within(self.part(replaced(kind, rest))))?;
            result.push_str(&piece);
            if result.len() > MAX_LENGTH || self.replacements > MAX_REPLACEMENTS {
                return Err(Mistake::new("the value grows without bound"));
            }
            rest = after;
        }
        result.push_str(rest);
        Ok(result)
    }

    /// Where a part of the text stands in its file; none where that has it in other words.
    fn part(&self, part: &str) -> Option<Span> {
        let (span, content) = (self.text.span, self.text.content.as_str());
        let source = self.expansion.sources.text(span.file);
        let written = source.get(span.start as usize..span.end as usize)?;
        let before = written.len() - written.trim_start().len();
        let offset = (part.as_ptr() as usize).checked_sub(content.as_ptr() as usize)?;
        let inside = offset + part.len() <= content.len() && written.trim() == content;
        let start = span.start + (before + offset) as u32;
        inside.then(|| Span { start, end: start + part.len() as u32, ..span })
    }

    /// What stands for a replacement of this kind, and the text after it.
    fn replacement<'t>(
        &mut self,
        kind: &str,
        text: &'t str,
        scope: &Rc<Scope>,
        depth: usize,
    ) -> Result<(String, &'t str), Mistake> {
        // as in the peer, the first bracket closes a command
        let (found, close) = match kind {
            "$(" => (text.split_once(')'), ')'),
            _ => (balanced(text), '}'),
        };
        let (inside, after) =
            found.ok_or_else(|| Mistake::new(format!("`{kind}` without its `{close}`")))?;
        self.replacements += 1;
        let piece = match kind {
            "${" => self.variable(inside, scope, depth)?,
            "$env{" => self.environment(inside, scope, depth)?,
            "$(" => self.command(inside, scope, depth)?,
            _ => self.expression(inside, scope, depth)?,
        };
        Ok((piece, after))
    }

    fn variable(
        &mut self,
        inside: &str,
        scope: &Rc<Scope>,
        depth: usize,
    ) -> Result<String, Mistake> {
        let (name, default) = split_default(inside);
        if let Some(value) = self.lookup(name, scope, depth)? {
            return Ok(value);
        }
        let surroundings = scope.included.then(|| std::env::var(name).ok()).flatten();
        match (surroundings, default) {
            (Some(value), Some(_)) if self.expansion.profile.environment_in_includes => Ok(value),
            (_, Some(default)) => self.expand(default, scope, depth + 1),
            (Some(value), None) => {
                if !self.expansion.profile.environment_in_includes {
                    let message = format!("`{name}` is taken from the process environment");
                    let label = format!("write $env{{{name}}}");
                    self.expansion.report.warning(self.span, message, label);
                }
                Ok(value)
            }
            (None, None) => Err(self.undefined(name, scope)),
        }
    }

    /// What `${name}` stands for.
    pub(super) fn lookup(
        &mut self,
        name: &str,
        scope: &Rc<Scope>,
        depth: usize,
    ) -> Result<Option<String>, Mistake> {
        let (context, variables) = (self.context, &mut self.expansion.variables);
        let own = match name {
            "NAME" => context.own.as_ref(),
            "PARENT_NAME" => context.parent.as_ref(),
            _ => None,
        };
        if let Some(own) = own {
            variables.note_instance();
            return Ok(Some(own.to_string()));
        }
        if name == "MVSIM_CURRENT_FILE_DIRECTORY" {
            return Ok(Some(scope.directory.display().to_string()));
        }
        if let Some(value) = variables.local(name) {
            return Ok(Some(value.to_string()));
        }
        if let Some(argument) = scope.argument(name) {
            let value = self.expand(&argument.text, &argument.scope, depth + 1);
            return value.map(Some).map_err(|mistake| mistake.within(Some(argument.span)));
        }
        let declared = context.declared.as_ref();
        let declared = declared.filter(|_| scope.included || context.declared_first);
        let found = declared.and_then(|declared| declared.get(name));
        Ok(found.or_else(|| variables.world(name)).map(CompactString::to_string))
    }

    /// Names of arguments and variables, sorted; none when looking for them has cost too much.
    pub(super) fn known(&mut self, scope: &Scope) -> Vec<String> {
        let variables = &self.expansion.variables;
        if self.expansion.budget.work(16 * variables.names().count()).is_err() {
            return Vec::new();
        }
        let arguments = scope.arguments.iter().map(|argument| argument.name.to_string());
        let mut names: Vec<_> =
            arguments.chain(variables.names().map(CompactString::to_string)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn undefined(&mut self, name: &str, scope: &Scope) -> Mistake {
        if self.expansion.failed.contains(name) {
            return Mistake::told();
        }
        let known = self.known(scope);
        let label = did_you_mean(name, known.iter().map(String::as_str));
        let mut notes = Vec::new();
        if !known.is_empty() {
            let listed = known.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>();
            let more = if known.len() > MAX_LISTED { ", …" } else { "" };
            notes.push(format!("help: known here: {}{more}", listed.join(", ")));
        }
        notes.push(format!("help: `${{{name}|value}}` gives a value where none is defined"));
        Mistake { message: format!("`{name}` is not defined"), label, notes, ..Mistake::default() }
    }

    fn environment(
        &mut self,
        inside: &str,
        scope: &Rc<Scope>,
        depth: usize,
    ) -> Result<String, Mistake> {
        let (name, default) = split_default(inside);
        let name = self.expand(name, scope, depth + 1)?;
        match (std::env::var(&name), default) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(default)) => self.expand(default, scope, depth + 1),
            (Err(_), None) => {
                let message = format!("the environment variable `{name}` is not set");
                Err(Mistake::with_help(
                    message,
                    &format!("set it, or write `$env{{{name}|value}}`"),
                ))
            }
        }
    }

    fn command(
        &mut self,
        inside: &str,
        scope: &Rc<Scope>,
        depth: usize,
    ) -> Result<String, Mistake> {
        if !self.expansion.allow.shell {
            let help = "write the result here, or trust this world and run with --allow shell";
            let message = "a world file may not run shell commands";
            return Err(Mistake {
                label: "refused".to_owned(),
                ..Mistake::with_help(message, help)
            });
        }
        let command = self.expand(inside, scope, depth + 1)?;
        let known = &mut self.expansion.commands;
        let outcome =
            known.entry(command).or_insert_with_key(|command| shell::output(command)).clone();
        outcome.map_err(|problem| Mistake::new(format!("`{inside}` {problem}")))
    }

    fn expression(
        &mut self,
        inside: &str,
        scope: &Rc<Scope>,
        depth: usize,
    ) -> Result<String, Mistake> {
        let text = self.expand(inside, scope, depth + 1)?;
        // work is that of copying; an expression takes more
        self.expansion.budget.work(4 * text.len()).map_err(Mistake::new)?;
        let six_digits = self.expansion.profile.six_digit_expressions;
        let mut names = Bare { evaluation: self, scope, depth, failure: None };
        let outcome = expression::evaluate(&text, &mut names);
        let failure = names.failure.take();
        let value = outcome
            .map_err(|wrong| failure.unwrap_or_else(|| self.in_expression(&text, inside, wrong)))?;
        if !value.is_finite() {
            return Err(Mistake::new(format!("`{text}` gives {value}")));
        }
        Ok(if six_digits { expression::six_digits(value) } else { expression::exact(value) })
    }

    /// A mistake in an expression, at its place where the file has the expression as it is.
    fn in_expression(&self, text: &str, inside: &str, wrong: expression::Mistake) -> Mistake {
        let whole = self.part(inside).filter(|_| text == inside);
        let span = whole.map(|whole| {
            let [start, end] = [wrong.at.start, wrong.at.end].map(|at| whole.start + at as u32);
            Span { start, end, ..whole }
        });
        let label = if span.is_some() { String::new() } else { format!("`{text}`") };
        Mistake { label, span, ..Mistake::new(wrong.message) }
    }
}

/// The replacement that a text begins with, or all of it where it has no end.
fn replaced<'t>(kind: &str, text: &'t str) -> &'t str {
    let inside = &text[kind.len()..];
    let length = match kind {
        "$(" => inside.find(')'),
        _ => balanced(inside).map(|(inside, _)| inside.len()),
    };
    length.map_or(text, |length| &text[..kind.len() + length + 1])
}

/// The text up to the brace that closes, and what comes after.
fn balanced(text: &str) -> Option<(&str, &str)> {
    let mut open = 1_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some((&text[..at], &text[at + 1..]));
        }
    }
    None
}

fn split_default(inside: &str) -> (&str, Option<&str>) {
    match inside.split_once('|') {
        Some((name, default)) => (name.trim(), Some(default)),
        None => (inside.trim(), None),
    }
}
