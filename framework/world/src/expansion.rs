//! From the tree of a world file to one without language: what files are included, what loops and
//! conditions leave, and what every `$` stands for.
//!
//! One pass in document order gives a plain tree. No `include`, `for`, `if`, `variable` or `$` is left in
//! it, every vehicle and block has its name, every text is a final value, and every text keeps the place
//! where it was written. What stands in the tree of a file and needs nothing done is moved, not copied.
//!
//! Where the peer evaluates some places and not others, every place is evaluated here: at any depth, in
//! attributes and texts alike, with the same functions. A name means, in this order:
//!
//! 1. `NAME` and `PARENT_NAME` within a vehicle, block, actor or sensor;
//! 2. `MVSIM_CURRENT_FILE_DIRECTORY`, the directory of the file that the text stands in;
//! 3. a variable or loop variable declared within the same vehicle, block, actor or class;
//! 4. an argument of the include, in the text of that one file. Its own text is replaced where it is
//!    used, and the names in it are those of the including file;
//! 5. a variable of the world. In a class that stands in an included file or in a loop, the value that
//!    it had there; in a class of the main file, the value that it has where the class is used;
//! 6. in an included file, a variable of the process environment, with a warning. No file that ships
//!    with the peer counts on that, but people's files may.
//!
//! The pass recurses as tags nest. Its larger functions are kept out of line, so that a level takes
//! little of the stack.

mod bare;
mod classes;
mod files;
mod flow;
mod includes;
mod instances;
mod scope;
mod shell;
mod texts;
mod variables;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::rc::Rc;

use compact_str::CompactString;

use crate::budget::Budget;
use crate::compat::Profile;
use crate::diagnostics::{Report, Severity};
use crate::expression::Key;
use crate::limits::Allow;
use crate::sources::{Sources, Span};
use crate::xml::{Attribute, Element, LANGUAGE_TAGS, Weight};

use classes::Class;
use files::Files;
pub(crate) use files::directory_of;
pub(crate) use scope::{Context, Scope};
use variables::Variables;

/// The state of one pass.
pub(crate) struct Expansion {
    pub sources: Sources,
    pub report: Report,
    pub budget: Budget,
    pub profile: Profile,
    pub lenient: bool,
    pub allow: Allow,
    files: Files,
    variables: Variables,
    /// Seed of the draws, changed by `randomize`.
    draws: Key,
    /// By tag and name; none for a class that is the same for every instance.
    classes: HashMap<(&'static str, CompactString), Option<Class>>,
    /// Names of classes in the expanded tree.
    class_names: HashSet<(&'static str, CompactString)>,
    vehicle_names: HashSet<CompactString>,
    blocks: usize,
    /// Files that are being read, from the outermost in.
    open_files: Vec<PathBuf>,
    commands: HashMap<String, Result<String, String>>,
    /// Variables whose values could not be computed.
    failed: HashSet<CompactString>,
    /// Of the element at hand.
    depth: usize,
    /// A limit has been passed, and said so.
    pub stopped: bool,
}

impl Expansion {
    pub(crate) fn new(options: &crate::reader::LoadOptions, profile: Profile) -> Self {
        Self {
            sources: Sources::default(),
            report: Report::default(),
            budget: Budget::new(&options.limits),
            profile,
            lenient: options.lenient,
            allow: options.allow.clone(),
            files: Files::new(options.limits.file_size),
            variables: Variables::default(),
            draws: Key::default(),
            classes: HashMap::new(),
            class_names: HashSet::new(),
            vehicle_names: HashSet::new(),
            blocks: 0,
            open_files: Vec::new(),
            commands: HashMap::new(),
            failed: HashSet::new(),
            depth: 0,
            stopped: false,
        }
    }

    /// The plain tree of a world, with draws from this seed.
    pub(crate) fn world(&mut self, mut root: Element, scope: Rc<Scope>, seed: u64) -> Element {
        self.draws = Key::default().with(seed);
        let context = Context::world(scope);
        let children = std::mem::take(&mut root.children);
        root.attributes = self.attributes(&root.attributes, &context);
        root.text = root.text.as_ref().map(|text| self.text(text, &context));
        self.depth = 1;
        for child in children {
            self.element(Cow::Owned(child), &context, &mut root.children);
        }
        root.dynamic = false;
        root
    }

    fn strictness(&self) -> Severity {
        if self.lenient || self.profile.lenient { Severity::Warning } else { Severity::Error }
    }

    /// Ends the pass where a limit is passed.
    fn within(&mut self, result: Result<(), String>, span: Span) -> bool {
        // what is around passes the limit as well, which would say nothing new
        if let Err(message) = result
            && !std::mem::replace(&mut self.stopped, true)
        {
            self.report.error(Some(span), message, "");
        }
        !self.stopped && !self.report.is_full()
    }

    fn elements(&mut self, elements: &[Element], context: &Context, out: &mut Vec<Element>) {
        for element in elements {
            self.element(Cow::Borrowed(element), context, out);
        }
    }

    /// Appends what an element becomes.
    fn element(&mut self, element: Cow<'_, Element>, context: &Context, out: &mut Vec<Element>) {
        if self.stopped || self.report.is_full() {
            return;
        }
        if element.dynamic && LANGUAGE_TAGS.contains(&element.name.as_str()) {
            return self.language_tag(&element, context, out);
        }
        if context.in_world {
            match element.name.as_str() {
                "vehicle:class" | "block:class" | "actor:class" => {
                    return self.class(element, context, out);
                }
                "vehicle" | "block" | "actor" => return self.instance(element, context, out),
                _ => {}
            }
        }
        out.extend(self.plain(element, context));
    }

    /// Language tags count as levels: they nest the pass as deeply as others.
    fn language_tag(&mut self, element: &Element, context: &Context, out: &mut Vec<Element>) {
        self.depth += 1;
        let depth = self.budget.depth(self.depth);
        if self.within(depth, element.name_span) {
            match element.name.as_str() {
                "include" => self.include(element, context, out),
                "for" => self.repeat(element, context, out),
                "if" => self.condition(element, context, out),
                _ => self.variable(element, context),
            }
        }
        self.depth -= 1;
    }

    /// An element that stays.
    #[inline(never)]
    fn plain(&mut self, element: Cow<'_, Element>, context: &Context) -> Option<Element> {
        if element.dynamic {
            if context.in_world {
                self.variables.leave();
            }
            return match element.name.as_str() {
                "sensor" | "element" => {
                    let context = self.named_part(&element, context);
                    self.evaluated(&element, &context)
                }
                _ if context.in_world => self.evaluated(&element, &context.inner()),
                _ => self.evaluated(&element, context),
            };
        }
        let cost = match &element {
            Cow::Owned(element) => self.budget.count(element.weight.elements as usize),
            Cow::Borrowed(element) => self.budget.expand(element.weight),
        };
        let deepest = self.budget.depth(self.depth + element.weight.height as usize);
        let span = element.name_span;
        self.within(cost.and(deepest), span).then(|| element.into_owned())
    }

    /// An element in the place of one that has something to replace.
    #[inline(never)]
    fn evaluated(&mut self, element: &Element, context: &Context) -> Option<Element> {
        let mut result = self.head(element, context)?;
        self.depth += 1;
        self.elements(&element.children, context, &mut result.children);
        self.depth -= 1;
        Some(settled(result))
    }

    /// The element without its children.
    #[inline(never)]
    fn head(&mut self, element: &Element, context: &Context) -> Option<Element> {
        let mut result = element.without_content();
        result.attributes = self.attributes(&element.attributes, context);
        result.text = element.text.as_ref().map(|text| self.text(text, context));
        let texts = result.attributes.iter().map(|attribute| &attribute.text).chain(&result.text);
        let long: usize = texts.map(|text| text.content.len()).sum();
        let bytes = (long + size_of::<Attribute>() * result.attributes.len()) as u32;
        result.weight.bytes = bytes;
        let cost = self.budget.expand(Weight { elements: 1, bytes, height: 1 });
        let depth = self.budget.depth(self.depth + 1);
        self.within(cost.and(depth), element.name_span).then_some(result)
    }

    fn attributes(&mut self, attributes: &[Attribute], context: &Context) -> Vec<Attribute> {
        let evaluated = |attribute: &Attribute| Attribute {
            name: attribute.name.clone(),
            name_span: attribute.name_span,
            text: self.text(&attribute.text, context),
        };
        attributes.iter().map(evaluated).collect()
    }

    /// Reports attributes that a language tag does not have, and what stands in it without effect.
    fn check_tag(&mut self, element: &Element, attributes: &[&str], may_hold: bool) {
        for attribute in &element.attributes {
            if !attributes.contains(&attribute.name.as_str()) {
                let (name, owner) = (&attribute.name, &element.name);
                let message = format!("unknown attribute `{name}` of `<{owner}>`");
                let label = crate::tag::did_you_mean(name, attributes.iter().copied());
                let notes = vec![format!("help: known here: {}", attributes.join(", "))];
                let span = Some(attribute.name_span);
                self.report.say(self.strictness(), span, message, label, notes);
            }
        }
        self.check_content(element, may_hold);
    }

    fn check_content(&mut self, element: &Element, may_hold: bool) {
        let name = &element.name;
        if let Some(text) = &element.text {
            let message = format!("text in `<{name}>` has no effect");
            self.report.warning(text.span, message, "ignored");
        }
        if let Some(child) = element.children.first().filter(|_| !may_hold) {
            let message = format!("tags in `<{name}>` have no effect");
            self.report.warning(child.name_span, message, "ignored");
        }
    }
}

/// The element with the weight of its children, and nothing left to replace.
fn settled(mut element: Element) -> Element {
    for child in &element.children {
        element.weight.add(child.weight);
    }
    element.dynamic = false;
    element
}

/// Marks a tree that `simhost print` wrote: it is plain as it is, and its numbers were computed.
pub(crate) fn mark_printed(element: &mut Element, report: &mut Report) {
    if LANGUAGE_TAGS.contains(&element.name.as_str()) {
        let message = format!("`<{}>` in a printed world", element.name);
        let help = "remove flat=\"true\" from <mvsim_world> to have it evaluated";
        report.error(Some(element.name_span), message, help);
    }
    let texts = element.attributes.iter_mut().map(|attribute| &mut attribute.text);
    texts.chain(&mut element.text).for_each(|text| text.origin = crate::xml::Origin::Computed);
    element.dynamic = false;
    element.children.iter_mut().for_each(|child| mark_printed(child, report));
}
