//! Declarations of the functions that the standards prescribe. Both versions have them under other names.
//!
//! Each function calls [`entry::call`](crate::entry::call), so that null, a panic and a failure are reported. The standards
//! require that all other pointers are valid.

/// Declares functions of an instance with their bodies.
macro_rules! calls {
    ($($name:ident($instance:ident $(, $argument:ident: $type:ty)*) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($instance: *mut Instance $(, $argument: $type)*) -> i32 {
            let act = |$instance: &mut Instance| -> Result<(), Failure> { $body };
            // SAFETY: the standard requires an instance.
            unsafe { entry::call($instance, act) }
        }
    )*};
}

/// Declares functions that get values. In FMI 3.0, they have the number of values as a further argument.
macro_rules! getters {
    ($($name:ident($type:ty $(, $count:ty)?) = $value:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            instance: *mut Instance, references: *const u32, count: usize, values: *mut $type $(, _: $count)?
        ) -> i32 {
            // SAFETY: the standard requires valid arguments.
            unsafe { entry::get(instance, references, count, values, $value) }
        }
    )*};
}

/// Declares functions that set values, as [`getters`] does.
macro_rules! setters {
    ($($name:ident($type:ty $(, $count:ty)?) = $set:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            instance: *mut Instance, references: *const u32, count: usize, values: *const $type $(, _: $count)?
        ) -> i32 {
            // SAFETY: the standard requires valid arguments.
            unsafe { entry::set(instance, references, count, values, $set) }
        }
    )*};
}

/// Declares the functions for states: get, set, free, size, serialise, deserialise.
macro_rules! states {
    ($get:ident, $set:ident, $free:ident, $size:ident, $serialize:ident, $deserialize:ident) => {
        calls! {
            $get(instance, to: *mut *mut c_void) {
                let state = instance.save()?;
                // SAFETY: the standard requires null or a state.
                unsafe { entry::keep(to, state) }
            }
            $set(instance, state: *mut c_void) {
                // SAFETY: as above.
                instance.restore(unsafe { entry::known(state)? })
            }
            $size(_instance, state: *mut c_void, size: *mut usize) {
                // SAFETY: as above.
                let bytes = unsafe { entry::known(state)? }.to_bytes()?;
                // SAFETY: the standard requires an address that can be written.
                unsafe { entry::put(size, bytes.len()) }
            }
            $serialize(_instance, state: *mut c_void, to: *mut u8, size: usize) {
                // SAFETY: as above.
                let bytes = unsafe { entry::known(state)? }.to_bytes()?;
                // SAFETY: the standard requires a buffer of this size.
                unsafe { entry::fill(to, size, &bytes) }
            }
            $deserialize(_instance, from: *const u8, size: usize, to: *mut *mut c_void) {
                // SAFETY: the standard requires a buffer of this size.
                let state = InstanceState::from_bytes(unsafe { entry::list(from, size)? })?;
                // SAFETY: as above, but it need not be initialised.
                unsafe { entry::put(to, Box::into_raw(Box::new(state)).cast()) }
            }
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $free(_: *mut Instance, state: *mut *mut c_void) -> i32 {
            // SAFETY: the standard requires null or a state.
            unsafe { entry::free_state(state) }
        }
    };
}

/// Declares the functions with which an importer integrates the states: enter event mode, enter continuous-time mode, set
/// time, set and get states, get rates, nominal values and event indicators.
macro_rules! exchanges {
    (
        $event:ident, $continuous:ident, $time:ident, $set:ident, $get:ident, $rates:ident, $nominals:ident,
        $indicators:ident
    ) => {
        calls! {
            $event(instance) { instance.exchange().map(drop) }
            $continuous(instance) { instance.exchange().map(drop) }
            $time(instance, time: f64) {
                instance.exchange()?.set_time(time);
                Ok(())
            }
            $set(instance, states: *const f64, count: usize) {
                // SAFETY: the standard requires a list of this length.
                let states = unsafe { entry::list(states, count)? };
                instance.exchange()?.set_continuous_states(states)
            }
            $get(instance, to: *mut f64, count: usize) {
                let states = instance.exchange()?.continuous_states();
                // SAFETY: the standard requires a list of this length, also below.
                unsafe { entry::fill_numbers(to, count, &states) }
            }
            $rates(instance, to: *mut f64, count: usize) {
                let rates = instance.exchange()?.rates()?;
                // SAFETY: as above.
                unsafe { entry::fill_numbers(to, count, &rates) }
            }
            $nominals(instance, to: *mut f64, count: usize) {
                let ones = vec![1.0; instance.exchange()?.continuous_states().len()];
                // SAFETY: as above.
                unsafe { entry::fill_numbers(to, count, &ones) }
            }
            $indicators(instance, to: *mut f64, count: usize) {
                instance.exchange()?;
                // SAFETY: as above.
                unsafe { entry::fill_numbers(to, count, &[]) }
            }
        }
    };
}

/// Declares functions of FMI 3.0 that compute a derivative of unknowns with respect to knowns, with a direction or weights.
macro_rules! derivatives {
    ($($name:ident = $derivative:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            instance: *mut Instance, unknowns: *const u32, unknown_count: usize, knowns: *const u32, known_count: usize,
            seed: *const f64, seed_count: usize, results: *mut f64, result_count: usize
        ) -> i32 {
            let variables = [entry::listed(unknowns, unknown_count), entry::listed(knowns, known_count)];
            let (seed, results) = (entry::listed(seed, seed_count), entry::listed(results, result_count));
            let compute = |instance: &mut Instance| {
                // SAFETY: the standard requires lists of these lengths.
                unsafe { entry::differentiate(instance, $derivative, variables, seed, results) }
            };
            // SAFETY: the standard requires an instance.
            unsafe { entry::call(instance, compute) }
        }
    )*};
}

/// Declares functions that report an error, because the description does not offer what they do.
macro_rules! unsupported {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(instance: *mut Instance $(, _: $argument)*) -> i32 {
            let text = concat!("this FMU does not support ", stringify!($name));
            // SAFETY: the standard requires an instance.
            unsafe { entry::call(instance, |_| Err(Failure::error(text))) }
        }
    )*};
}

/// Declares functions for variables of a type that no variable has. They succeed for no variables.
macro_rules! absent {
    ($($name:ident($($argument:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(
            instance: *mut Instance, _: *const u32, count: usize $(, _: $argument)*
        ) -> i32 {
            let text = concat!("no variable fits ", stringify!($name));
            let refuse = |_: &mut Instance| if count == 0 { Ok(()) } else { Err(Failure::error(text)) };
            // SAFETY: the standard requires an instance.
            unsafe { entry::call(instance, refuse) }
        }
    )*};
}

pub(crate) use {absent, calls, derivatives, exchanges, getters, setters, states, unsupported};
