//! Evaluation of texts: `${NAME}`, `${NAME|default}`, `$env{NAME}`, `$(command)` and
//! `$f{expression}`.
//!
//! MVSim has two mechanisms: one replaces names in the text of an included file before parsing, the
//! other evaluates single values when they are read. Here, every value is evaluated once with the
//! names and functions of both.

use std::rc::Rc;

use compact_str::CompactString;

use super::shell;
use super::state::Expansion;
use super::variables::{NameContext, Scope};
use crate::diagnostics::{Diagnostic, Report, did_you_mean};
use crate::expression::{ExpressionError, Key, Names};
use crate::options::LoadOptions;
use crate::profile::CORRECTED;
use crate::sources::{Sources, Span};
use crate::tree::{Attribute, Origin, Text};
use crate::{expression, xml};

/// Maximum nesting of replacements.
const MAX_DEPTH: usize = 64;
/// Maximum length of a value in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// Maximum number of replacements in one value.
const MAX_REPLACEMENTS: usize = 10_000;
/// Maximum number of names that a message lists.
const MAX_LISTED: usize = 30;
/// Constants of expressions in their usual spelling.
const CONSTANTS: &[&str] = &["pi", "M_PI", "true", "false"];

/// Returns the final value of a text. If there is none, the error has been reported.
#[inline(never)]
pub(super) fn evaluate(expansion: &mut Expansion, text: &Text, context: &NameContext) -> Text {
    evaluate_as("", expansion, text, context)
}

/// Returns the final value of the text of an attribute, as [`evaluate`] does. The environment, commands and options can
/// have characters that files cannot.
fn evaluate_as(
    attribute: &str,
    expansion: &mut Expansion,
    text: &Text,
    context: &NameContext,
) -> Text {
    if text.origin == Origin::Computed || !text.content.contains('$') {
        return text.clone();
    }
    let span = text.span;
    let key = draw_key(expansion, span, context);
    let mut evaluation = Evaluation { key, expansion, context, text, draws: 0, replacements: 0 };
    let value = evaluation.expand(&text.content, Level { scope: &context.scope, depth: 0 });
    let value = value.and_then(|value| match xml::refused(attribute, value.trim()) {
        Some(letter) => Err(Failure::New(xml::character_error(letter))),
        None => Ok(value),
    });
    match value {
        Ok(value) => Text { content: value.trim().into(), span, origin: Origin::Computed },
        Err(Failure::Reported) => Text { origin: Origin::Failed, ..text.clone() },
        Err(Failure::New(error)) => {
            let place = error.span.unwrap_or(span);
            expansion.report.push(error.at(place));
            Text { origin: Origin::Failed, ..text.clone() }
        }
    }
}

/// Returns the final value of a text, or `None` if the error has been reported.
#[inline(never)]
pub(super) fn value_of(
    expansion: &mut Expansion,
    text: &Text,
    context: &NameContext,
) -> Option<CompactString> {
    let text = evaluate(expansion, text, context);
    (text.origin != Origin::Failed).then_some(text.content)
}

/// Returns the final values of attributes.
pub(super) fn evaluate_attributes(
    expansion: &mut Expansion,
    attributes: &[Attribute],
    context: &NameContext,
) -> Vec<Attribute> {
    let evaluated = |attribute: &Attribute| Attribute {
        name: attribute.name.clone(),
        name_span: attribute.name_span,
        text: evaluate_as(&attribute.name, expansion, &attribute.text, context),
    };
    attributes.iter().map(evaluated).collect()
}

/// Evaluates a text that is not part of a world. Returns the diagnostics, for fuzzing.
pub(crate) fn evaluate_alone(text: &str) -> (Report, Sources) {
    let mut expansion = Expansion::new(&LoadOptions::default(), CORRECTED);
    let scope = Scope::main(std::path::Path::new(""));
    let written = Text { content: text.into(), span: Span::default(), origin: Origin::Written };
    evaluate(&mut expansion, &written, &NameContext::world(Rc::new(scope)));
    (expansion.report, expansion.sources)
}

/// Returns the key of the draws at a position.
fn draw_key(expansion: &Expansion, span: Span, context: &NameContext) -> Key {
    let position = expansion.position_key(span, context.origin);
    expansion.seed.with(context.path.0).with(position.0)
}

/// Why a text has no value.
enum Failure {
    /// The cause has been reported elsewhere.
    Reported,
    /// An error. Its span is set if the part of the text that is wrong is known.
    New(Diagnostic),
}

impl Failure {
    fn new(message: impl Into<String>) -> Self {
        Self::New(Diagnostic::error(message))
    }

    /// Sets the position unless a more precise one is known.
    fn within(self, span: Option<Span>) -> Self {
        match self {
            Self::New(error) => Self::New(Diagnostic { span: error.span.or(span), ..error }),
            Self::Reported => Self::Reported,
        }
    }
}

/// The scope of the names of a text, and the number of replacements that the text is within.
#[derive(Clone, Copy)]
struct Level<'s> {
    scope: &'s Rc<Scope>,
    depth: usize,
}

impl Level<'_> {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

/// The evaluation of one text.
struct Evaluation<'e> {
    expansion: &'e mut Expansion,
    context: &'e NameContext,
    text: &'e Text,
    /// Key of its draws.
    key: Key,
    /// Number of draws so far.
    draws: u64,
    replacements: usize,
}

impl Evaluation<'_> {
    /// Returns `text` with everything replaced.
    fn expand(&mut self, text: &str, level: Level<'_>) -> Result<String, Failure> {
        if level.depth > MAX_DEPTH {
            return Err(Failure::new("names refer to each other without end"));
        }
        self.expansion.budget.work(text.len()).map_err(Failure::new)?;
        let mut result = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            result.push_str(&rest[..dollar]);
            rest = &rest[dollar..];
            let Some(start) = start_of(rest) else {
                result.push('$');
                rest = &rest[1..];
                continue;
            };
            let replacement = self.replacement(start, &rest[start.len()..], level);
            let (piece, after) =
                replacement.map_err(|error| error.within(self.span_of(whole(start, rest))))?;
            result.push_str(&piece);
            if result.len() > MAX_LENGTH || self.replacements > MAX_REPLACEMENTS {
                return Err(Failure::new("the value grows without bound"));
            }
            rest = after;
        }
        result.push_str(rest);
        Ok(result)
    }

    /// Returns the span of a part of the text, or `None` if the file does not contain it literally.
    fn span_of(&self, part: &str) -> Option<Span> {
        let (span, content) = (self.text.span, self.text.content.as_str());
        let source = self.expansion.sources.text(span.file);
        let written = source.get(span.start as usize..span.end as usize)?;
        let before = written.len() - written.trim_start().len();
        let offset = (part.as_ptr() as usize).checked_sub(content.as_ptr() as usize)?;
        let inside = offset + part.len() <= content.len() && written.trim() == content;
        let start = span.start + (before + offset) as u32;
        inside.then(|| Span { start, end: start + part.len() as u32, ..span })
    }

    /// Returns the value of a replacement and the text after it.
    fn replacement<'t>(
        &mut self,
        start: &str,
        text: &'t str,
        level: Level<'_>,
    ) -> Result<(String, &'t str), Failure> {
        let (inside, after) = split_inside(start, text).ok_or_else(|| {
            Failure::new(format!("`{start}` without a closing `{}`", end_of(start)))
        })?;
        self.replacements += 1;
        let piece = match start {
            "${" => self.variable(inside, level)?,
            "$env{" => self.environment(inside, level)?,
            "$(" => self.command(inside, level)?,
            _ => self.expression(inside, level)?,
        };
        Ok((piece, after))
    }

    fn variable(&mut self, inside: &str, level: Level<'_>) -> Result<String, Failure> {
        let (name, default) = split_default(inside);
        if let Some(value) = self.lookup(name, level)? {
            return Ok(value);
        }
        let is_open = level.scope.included && self.expansion.files.confinement.is_none();
        let from_process = is_open.then(|| std::env::var(name).ok()).flatten();
        match (from_process, default) {
            (Some(value), Some(_)) if self.expansion.profile.environment_in_includes => Ok(value),
            (_, Some(default)) => self.expand(default, level.deeper()),
            (Some(value), None) => {
                if !self.expansion.profile.environment_in_includes {
                    let message = format!("`{name}` is taken from the process environment");
                    let label = format!("write $env{{{name}}}");
                    self.expansion.report.warning(self.text.span, message, &label);
                }
                Ok(value)
            }
            (None, None) => Err(self.undefined(name, level.scope)),
        }
    }

    /// Returns the value of `${name}`, or `None` if the name is not defined.
    fn lookup(&mut self, name: &str, level: Level<'_>) -> Result<Option<String>, Failure> {
        let (context, variables) = (self.context, &mut self.expansion.variables);
        let own = match name {
            "NAME" => context.own.as_ref(),
            "PARENT_NAME" => context.parent.as_ref(),
            _ => None,
        };
        if let Some(own) = own {
            variables.depend_on_instance();
            return Ok(Some(own.to_string()));
        }
        if name == "MVSIM_CURRENT_FILE_DIRECTORY" {
            return Ok(Some(level.scope.directory.display().to_string()));
        }
        if let Some(value) = variables.local(name) {
            return Ok(Some(value.to_string()));
        }
        if let Some(argument) = level.scope.argument(name) {
            let value =
                self.expand(&argument.text, Level { scope: &argument.scope, ..level.deeper() });
            return value.map(Some).map_err(|error| error.within(Some(argument.span)));
        }
        let declared = context.declared.as_ref();
        let declared = declared.filter(|_| level.scope.included || context.declared_first);
        let found = declared.and_then(|declared| declared.get(name));
        Ok(found.or_else(|| variables.world(name)).map(CompactString::to_string))
    }

    /// Returns the names of arguments and variables, sorted. The result is empty once listing them
    /// has cost too much.
    fn known_names(&mut self, scope: &Scope) -> Vec<String> {
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

    fn undefined(&mut self, name: &str, scope: &Scope) -> Failure {
        if self.expansion.failed.contains(name) {
            return Failure::Reported;
        }
        let known = self.known_names(scope);
        let mut error = Diagnostic::error(format!("unknown name `{name}`"))
            .label(did_you_mean(name, known.iter().map(String::as_str)));
        if !known.is_empty() {
            let listed = known.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>();
            let more = if known.len() > MAX_LISTED { ", …" } else { "" };
            error = error.note(format!("known names: {}{more}", listed.join(", ")));
        }
        let help = format!("write `${{{name}|value}}` to give a default value");
        Failure::New(error.help(help))
    }

    fn environment(&mut self, inside: &str, level: Level<'_>) -> Result<String, Failure> {
        let (name, default) = split_default(inside);
        let name = self.expand(name, level.deeper())?;
        if self.expansion.files.confinement.is_some() {
            return Err(Failure::new("clients cannot read the environment"));
        }
        match (std::env::var(&name), default) {
            (Ok(value), _) => Ok(value),
            (Err(_), Some(default)) => self.expand(default, level.deeper()),
            (Err(_), None) => {
                let message = format!("the environment variable `{name}` is not set");
                let help = format!("set it, or write `$env{{{name}|value}}`");
                Err(Failure::New(Diagnostic::error(message).help(help)))
            }
        }
    }

    fn command(&mut self, inside: &str, level: Level<'_>) -> Result<String, Failure> {
        if !self.expansion.allow.shell {
            let error = Diagnostic::error("shell commands are not allowed in world files")
                .label("refused")
                .help("write the result here, or run with --allow shell if you trust this world");
            return Err(Failure::New(error));
        }
        let command = self.expand(inside, level.deeper())?;
        let stop = &*self.expansion.stop;
        let known = &mut self.expansion.commands;
        let run = |command: &String| shell::output(command, stop);
        let outcome = known.entry(command).or_insert_with_key(run).clone();
        outcome.map_err(|problem| Failure::new(format!("`{inside}` {problem}")))
    }

    fn expression(&mut self, inside: &str, level: Level<'_>) -> Result<String, Failure> {
        let text = self.expand(inside, level.deeper())?;
        // evaluating an expression takes longer than copying it
        self.expansion.budget.work(4 * text.len()).map_err(Failure::new)?;
        let six_digits = self.expansion.profile.six_digit_expressions;
        let mut names = ExpressionNames { evaluation: self, level, failure: None };
        let outcome = expression::evaluate(&text, &mut names);
        let failure = names.failure.take();
        let value = outcome
            .map_err(|error| failure.unwrap_or_else(|| self.in_expression(&text, inside, error)))?;
        if !value.is_finite() {
            return Err(Failure::new(format!("`{text}` evaluates to {value}")));
        }
        Ok(if six_digits { expression::six_digits(value) } else { expression::exact(value) })
    }

    /// Returns the error in an expression, with its position if the file contains the expression
    /// literally.
    fn in_expression(&self, text: &str, inside: &str, error: ExpressionError) -> Failure {
        let whole = self.span_of(inside).filter(|_| text == inside);
        let span = whole.map(|whole| {
            let [start, end] = [error.at.start, error.at.end].map(|at| whole.start + at as u32);
            Span { start, end, ..whole }
        });
        let label = if span.is_some() { String::new() } else { format!("`{text}`") };
        Failure::New(Diagnostic { span, ..Diagnostic::error(error.message).label(label) })
    }
}

/// The names in an expression. Variables take precedence over arguments: MVSim's expressions do not
/// know arguments.
struct ExpressionNames<'b, 'e> {
    evaluation: &'b mut Evaluation<'e>,
    level: Level<'b>,
    /// Why a known name has no value.
    failure: Option<Failure>,
}

impl ExpressionNames<'_, '_> {
    fn find(&mut self, name: &str) -> Option<String> {
        let context = self.evaluation.context;
        let variables = &mut self.evaluation.expansion.variables;
        if let Some(value) = variables.local(name) {
            return Some(value.to_string());
        }
        let declared = context.declared.as_ref().filter(|_| context.declared_first);
        if let Some(value) = declared.and_then(|declared| declared.get(name)) {
            return Some(value.to_string());
        }
        if let Some(value) = variables.world(name) {
            return Some(value.to_string());
        }
        self.level.scope.argument(name)?;
        // the evaluation of this expression occupies the stack too
        let level = Level { depth: self.level.depth + MAX_DEPTH / 8, ..self.level };
        match self.evaluation.lookup(name, level) {
            Ok(value) => value,
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }
}

impl Names for ExpressionNames<'_, '_> {
    fn variable(&mut self, name: &str) -> Option<String> {
        if let Some(value) = self.find(name) {
            return Some(value);
        }
        if self.evaluation.expansion.failed.contains(name) {
            self.failure.get_or_insert(Failure::Reported);
        }
        if CONSTANTS.contains(&name) {
            return None;
        }
        // MVSim's expressions ignore case
        let known = self.known();
        let mut alike = known.iter().filter(|known| known.eq_ignore_ascii_case(name));
        match (alike.next(), alike.next()) {
            (Some(known), None) => self.find(known),
            _ => None,
        }
    }

    fn known(&mut self) -> Vec<String> {
        self.evaluation.known_names(self.level.scope)
    }

    fn draw(&mut self) -> Key {
        let evaluation = &mut *self.evaluation;
        evaluation.expansion.variables.depend_on_instance();
        evaluation.expansion.note_draw(evaluation.text.span);
        evaluation.draws += 1;
        evaluation.key.with(evaluation.draws)
    }

    fn randomize(&mut self, seed: f64) {
        let evaluation = &mut *self.evaluation;
        let expansion = &mut *evaluation.expansion;
        expansion.variables.depend_on_instance();
        expansion.seed = expansion.seed.with(seed.to_bits());
        evaluation.key = draw_key(expansion, evaluation.text.span, evaluation.context);
    }
}

/// The start of each kind of replacement.
const STARTS: [&str; 4] = ["${", "$env{", "$f{", "$("];

/// Returns the start of the replacement that a text begins with.
///
/// `${NAME}`, `${NAME|default}`, `$env{NAME}`, `$(command)` and `$f{expression}`.
fn start_of(text: &str) -> Option<&'static str> {
    STARTS.into_iter().find(|start| text.starts_with(start))
}

/// Returns the character that ends a replacement.
fn end_of(start: &str) -> char {
    if start == "$(" { ')' } else { '}' }
}

/// Splits the text after the start of a replacement into its inside and what follows it. Braces are
/// balanced. As in MVSim, the first parenthesis ends a command.
fn split_inside<'t>(start: &str, text: &'t str) -> Option<(&'t str, &'t str)> {
    match start {
        "$(" => text.split_once(')'),
        _ => split_balanced(text),
    }
}

fn split_balanced(text: &str) -> Option<(&str, &str)> {
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

/// Returns the replacement that a text begins with, or the whole text if it has no end.
fn whole<'t>(start: &str, text: &'t str) -> &'t str {
    let inside = split_inside(start, &text[start.len()..]);
    inside.map_or(text, |(inside, _)| &text[..start.len() + inside.len() + 1])
}

/// Splits `NAME|default` into both parts.
fn split_default(inside: &str) -> (&str, Option<&str>) {
    match inside.split_once('|') {
        Some((name, default)) => (name.trim(), Some(default)),
        None => (inside.trim(), None),
    }
}
