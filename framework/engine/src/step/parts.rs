//! The parts of a simulation in their order, and loops over them.

mod commands;
mod environments;
mod fleets;
mod ground;
mod perception;
mod physics;
mod plans;
mod robot_faults;
mod sensors;
mod tables;

/// Calls a function of [`Part`](super::part::Part) for each part, in the order of that module. A new part takes a
/// line here.
macro_rules! for_each_part {
    ($function:ident($($argument:expr),*) $($try:tt)?) => {{
        use $crate::step::part::Part;
        <$crate::state::CommandQueue as Part>::$function($($argument),*) $($try)?;
        <$crate::table::Table as Part>::$function($($argument),*) $($try)?;
        <$crate::physics::Physics as Part>::$function($($argument),*) $($try)?;
        <$crate::plan::Plans as Part>::$function($($argument),*) $($try)?;
        <$crate::sensors::Sensors as Part>::$function($($argument),*) $($try)?;
        <$crate::environments::Environments as Part>::$function($($argument),*) $($try)?;
        <$crate::ground::Ground as Part>::$function($($argument),*) $($try)?;
        <$crate::perception::Perception as Part>::$function($($argument),*) $($try)?;
        <$crate::fleets::Fleets as Part>::$function($($argument),*) $($try)?;
        <$crate::robot_faults::RobotFaults as Part>::$function($($argument),*) $($try)?;
    }};
}
pub(super) use for_each_part;
