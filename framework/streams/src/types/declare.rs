//! The macro that declares a stream type.

/// Declares a stream type: a struct with the fields of its samples, their units and meanings, the constants of
/// its streams, the definition of its ROS 2 message, and the values that fill it.
///
/// With `definitions`, `write` writes the message; without, the message follows from the fields.
macro_rules! stream_type {
    (@form $name:ident) => { None };
    (@form $name:ident $($message:literal: $definition:expr;)+) => {
        Some(&$crate::stream::MessageForm {
            definitions: &[$(($message, $definition)),+],
            cdr: |stream, sample, to, frames, places| {
                let to = &mut $crate::ros::cdr::Cdr::new(to, frames, places);
                $name::from_sample(stream, sample).write(stream, to);
            },
            fill: |stream, sample, message, places| {
                let to = &mut $crate::ros::template::Filling::new(message, places);
                $name::from_sample(stream, sample).write(stream, to);
                to.finish();
            },
            json: |stream, sample| {
                let mut to = $crate::ros::json::Json::default();
                $name::from_sample(stream, sample).write(stream, &mut to);
                to.finish()
            },
        })
    };
    (@owned $name:ident) => {
        impl $crate::types::TypedSample for $name {
            const NAME: &'static str = stringify!($name);

            fn from_sample(
                stream: &$crate::stream::Stream,
                sample: &$crate::sample::Sample<'_>,
            ) -> Self {
                Self::from_sample(stream, sample)
            }
        }
    };
    // a sample that borrows lives no longer than what it borrows from
    (@owned $name:ident $life:lifetime) => {};
    (
        $(#[doc = $doc:literal])+
        $name:ident $(<$life:lifetime>)? as $message:literal {
            $($(#[doc = $meaning:literal])+ $field:ident: $kind:ty, $unit:literal;)*
        }
        $(constants { $($(#[doc = $about:literal])+ $constant:ident: $number:ty;)* })?
        $(definitions { $($ros:literal: $definition:expr;)+ })?
        $(sources { $($source:expr;)+ })?
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name $(<$life>)? {
            /// Time at which it was taken.
            pub stamp: $crate::sample::Stamp,
            $($($(#[doc = $about])+ pub $constant: $number,)*)?
            $($(#[doc = $meaning])+ #[doc = concat!("\n\nUnit: ", $unit)] pub $field: $kind,)*
        }

        stream_type!(@owned $name $($life)?);

        impl $(<$life>)? $name $(<$life>)? {
            /// Description of the type.
            pub const TYPE: $crate::stream::StreamType = $crate::stream::StreamType {
                name: std::borrow::Cow::Borrowed(stringify!($name)),
                message: std::borrow::Cow::Borrowed($message),
                doc: std::borrow::Cow::Borrowed(concat!($($doc),+).trim_ascii_start()),
                fields: std::borrow::Cow::Borrowed(&[$($crate::stream::Field {
                    name: std::borrow::Cow::Borrowed(stringify!($field)),
                    unit: std::borrow::Cow::Borrowed($unit),
                    doc: std::borrow::Cow::Borrowed(concat!($($meaning),+).trim_ascii_start()),
                    count: <$kind as $crate::types::fields::FieldValue>::COUNT,
                },)*]),
                form: stream_type!(@form $name $($($ros: $definition;)+)?),
                sources: &[$($($source),+)?],
            };

            /// Returns a sample of a stream of this type.
            pub fn from_sample(
                stream: &$crate::stream::Stream,
                sample: &$crate::sample::Sample<$($life)?>,
            ) -> Self {
                #[allow(unused_mut, unused_variables, reason = "a type can have no fields")]
                let mut cursor = $crate::types::fields::Cursor::new(stream, sample);
                Self {
                    stamp: sample.stamp,
                    $($($constant: cursor.constant(stringify!($constant)) as $number,)*)?
                    $($field: $crate::types::fields::FieldValue::read(&mut cursor),)*
                }
            }
        }
    };
}

pub(crate) use stream_type;
