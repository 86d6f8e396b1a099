//! Safe access to the texts and lists of descriptors.
//!
//! The types of `simhost-abi` hold raw pointers, because a plugin may be written in any language. A
//! [`View`] is the promise that those pointers lead to static data; it is given once, when a plugin
//! is accepted, and everything reached through a view is a view again.

use std::ops::Deref;

use simhost_abi::{
    ChassisDesc, CommandDesc, Kind, Model, ParamDesc, ParamKind, Phase, Plugin, PortDesc, Slice,
    StateDesc, StateKind, Str, Value, WheelDesc, value_tag,
};

/// A descriptor, or a part of one, whose texts and lists are static, immutable data.
///
/// Numbers and functions are reached through [`Deref`], texts and lists through methods.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct View<T>(T);

impl<T> View<T> {
    /// Wraps a descriptor.
    ///
    /// # Safety
    /// Every pointer that can be reached from `descriptor` is null with length 0, or leads to valid
    /// data of its type that is never changed or freed.
    pub const unsafe fn new(descriptor: &'static T) -> &'static Self {
        // SAFETY: the type is transparent.
        unsafe { &*std::ptr::from_ref(descriptor).cast() }
    }

    /// The text of a field.
    const fn static_text(&'static self, text: Str) -> &'static str {
        // SAFETY: promised by whoever made the view.
        unsafe { text.as_str() }
    }

    /// The items of a field.
    const fn static_items<U>(&'static self, list: Slice<U>) -> &'static [U] {
        // SAFETY: promised by whoever made the view.
        unsafe { list.as_slice() }
    }

    /// The items of a field as views.
    const fn static_views<U>(&'static self, list: Slice<U>) -> &'static [View<U>] {
        let items = self.static_items(list);
        // SAFETY: the type is transparent, and the promise covers what the items point to.
        unsafe { std::slice::from_raw_parts(items.as_ptr().cast(), items.len()) }
    }

    pub(crate) fn texts(
        &'static self,
        list: Slice<Str>,
    ) -> impl ExactSizeIterator<Item = &'static str> + Clone {
        self.static_items(list).iter().map(|text| self.static_text(*text))
    }
}

impl<T> Deref for View<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for View<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Methods that return a text or a list of the field of the same name.
macro_rules! fields {
    ($ty:ident: texts $($text:ident)*; lists $($list:ident: $item:ident)*) => {
        impl View<$ty> {
            $(
                #[doc = concat!("Text of [`", stringify!($ty), "::", stringify!($text), "`].")]
                pub const fn $text(&'static self) -> &'static str {
                    self.static_text(self.0.$text)
                }
            )*
            $(
                #[doc = concat!("Items of [`", stringify!($ty), "::", stringify!($list), "`].")]
                pub const fn $list(&'static self) -> &'static [View<$item>] {
                    self.static_views(self.0.$list)
                }
            )*
        }
    };
}

fields!(Plugin: texts vendor name version; lists);
fields!(Model: texts id version doc;
    lists params: ParamDesc states: StateDesc commands: CommandDesc wheels: WheelDesc phases: Phase);
fields!(Phase: texts id; lists inputs: PortDesc outputs: PortDesc);
fields!(PortDesc: texts name unit doc key key_unit; lists);
fields!(StateDesc: texts name unit doc initial_key; lists);
fields!(CommandDesc: texts kind; lists);
fields!(WheelDesc: texts tag; lists);
fields!(ParamDesc: texts key doc unit; lists children: ParamDesc);
fields!(Value: texts text; lists items: Value);

impl View<Plugin> {
    /// The models of the plugin, in the order of their declaration.
    pub fn models(&'static self) -> impl ExactSizeIterator<Item = &'static View<Model>> + Clone {
        // SAFETY: promised by whoever made the view.
        self.static_items(self.0.models).iter().map(|model| unsafe { View::new(&**model) })
    }
}

impl View<Model> {
    /// The kind of the model; `None` where the number is unknown.
    pub const fn kind(&self) -> Option<Kind> {
        Kind::from_u32(self.0.kind)
    }

    /// The tag of the kind in a world file, such as `friction`; empty where the number is unknown.
    pub fn kind_tag(&self) -> &'static str {
        self.kind().map_or("", Kind::tag)
    }

    /// The phase with this id.
    pub fn phase(&'static self, id: &str) -> Option<&'static View<Phase>> {
        self.phases().iter().find(|phase| phase.id() == id)
    }

    /// The default chassis of a dynamics class.
    pub fn chassis(&'static self) -> Option<&'static View<ChassisDesc>> {
        // SAFETY: promised by whoever made the view.
        unsafe { self.0.chassis.as_ref().map(|chassis| View::new(chassis)) }
    }
}

impl View<StateDesc> {
    /// The kind of the state slot; `None` where the number is unknown.
    pub const fn kind(&self) -> Option<StateKind> {
        StateKind::from_u32(self.0.kind)
    }
}

impl View<ParamDesc> {
    /// The kind of the parameter; `None` where the number is unknown.
    pub const fn kind(&self) -> Option<ParamKind> {
        ParamKind::from_u32(self.0.kind)
    }

    /// Other names that are accepted.
    pub fn aliases(&'static self) -> impl ExactSizeIterator<Item = &'static str> + Clone {
        self.texts(self.0.aliases)
    }

    /// Names of a choice.
    pub fn choices(&'static self) -> impl ExactSizeIterator<Item = &'static str> + Clone {
        self.texts(self.0.choices)
    }

    /// Whether `name` is the key or an alias.
    pub fn is_named(&'static self, name: &str) -> bool {
        self.key() == name || self.aliases().any(|alias| alias == name)
    }

    /// Value when the world file gives none, in the unit of the world file.
    pub const fn default(&'static self) -> &'static View<Value> {
        // SAFETY: a part of a view is a view.
        unsafe { View::new(&self.0.default) }
    }
}

impl View<Value> {
    /// Returns the value as a world file would have it, or `None` where there is no value.
    pub fn written(&'static self) -> Option<String> {
        match self.tag {
            value_tag::NUMBER => Some(self.number.to_string()),
            value_tag::BOOL => Some((self.number != 0.0).to_string()),
            value_tag::TEXT => Some(self.text().to_owned()),
            value_tag::ITEMS => {
                let written = |item: &'static Self| item.written().unwrap_or_default();
                let numbers = self.items().iter().map(written);
                Some(numbers.collect::<Vec<_>>().join(" "))
            }
            _ => None,
        }
    }
}

impl View<CommandDesc> {
    /// Inputs that the values of the command set, in order. An empty name skips a value.
    pub fn ports(&'static self) -> impl ExactSizeIterator<Item = &'static str> + Clone {
        self.texts(self.0.ports)
    }
}

impl View<ChassisDesc> {
    /// Corners `[x, y]` in the vehicle frame, m.
    pub const fn corners(&'static self) -> &'static [[f64; 2]] {
        self.static_items(self.0.polygon).as_chunks().0
    }
}
