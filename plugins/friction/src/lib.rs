//! The built-in friction models: the force between a wheel and the ground.
//!
//! | Module | Model |
//! |---|---|
//! | [`default`] | Coulomb friction, limited to the force that stops the sliding within a step |
//! | [`ward_iagnemma`] | the same with the rolling resistance of Ward and Iagnemma |
//! | [`ellipse`] | limits from curves of slip ratio and slip angle |
//! | [`rolling`] | a wheel on rigid ground over one step, solved at the end of the step |
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! Models with slip curves of tyres are in the crate `simhost-tyres`. The page *Built-in models* of
//! the book has equations, sources and limits.

mod circle;
/// Implements a model by its function `compute`, with rolling resistance and without.
macro_rules! computed {
    ($model:ident $(, $($more:item)+)?) => {
        #[model]
        impl Friction for $model {
            const TIME_INVARIANT: bool = true;
            type Inputs = Brake;
            $($($more)+)?
            fn force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
                self.compute::<true>(wheel, step)
            }

            fn simplifies(&self, wheel: &Wheel) -> bool {
                !self.explicit_resistance || wheel.c_rr(self.c_rr) == 0.0
            }

            fn simplified_force(&self, wheel: &Wheel, step: &Step, _: &mut ()) -> Force {
                self.compute::<false>(wheel, step)
            }
        }
    };
}
use computed;

pub mod default;
pub mod ellipse;
pub mod rolling;
pub mod ward_iagnemma;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    friction: {
        "default" => default::Coulomb,
        "wardiagnemma" => ward_iagnemma::WardIagnemma,
        "ellipse" => ellipse::Ellipse,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
