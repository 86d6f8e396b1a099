//! Contacts of bodies that touch exactly.
//!
//! parry finds the closest points of two polygons with GJK, which loses the direction of a gap near 0: of squares
//! side by side, half get a contact as deep as they are wide, with the normal of another side, at gaps below
//! 1e-14 m, and one in a hundred up to 1e-9 m. Here the side that separates two polygons is looked up before
//! (separating axes). Where the gap is near 0, parry gets the polygons as far apart along the normal of
//! that side as it can tell, and the difference is taken from the distances of the contact.

use rapier2d_f64::parry::query::details::{NormalConstraints, ShapeCastOptions};
use rapier2d_f64::parry::query::{
    self, ClosestPoints, ContactManifoldsWorkspace, DefaultQueryDispatcher, NonlinearRigidMotion,
    PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, Unsupported,
};
use rapier2d_f64::parry::shape::ConvexPolygon;
use rapier2d_f64::prelude::*;

/// Gap up to which polygons count as touching exactly, m.
const EXACT: f64 = 1e-7;
/// Gap that they get instead, m.
const APART: f64 = 1e-6;

/// Queries of parry with exact contacts of polygons.
pub(super) struct Dispatcher;

impl Dispatcher {
    /// Returns the pose of the second polygon for parry, and by how much it has been moved, m.
    fn apart(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape) -> (Pose, f64) {
        let polygons = g1.as_convex_polygon().zip(g2.as_convex_polygon());
        let gap = polygons.map(|(first, second)| gap(pos12, first, second));
        match gap {
            Some((gap, normal)) if gap.abs() < EXACT => {
                let way = APART - gap;
                let translation = pos12.translation + normal * way;
                (Pose { translation, ..*pos12 }, way)
            }
            _ => (*pos12, 0.0),
        }
    }
}

/// Returns the width of the widest strip along a side that separates two polygons, negative if they overlap,
/// m, and the direction to the second in the frame of the first.
pub(super) fn gap(pos12: &Pose, first: &ConvexPolygon, second: &ConvexPolygon) -> (f64, Vector) {
    let widest = |pose: &Pose, own: &ConvexPolygon, other: &ConvexPolygon| {
        let width = |normal: &Vector, at: &Vector| {
            let along = other.points().iter().map(|one| normal.dot(pose * *one - *at));
            along.fold(f64::INFINITY, f64::min)
        };
        let sides = own.normals().iter().zip(own.points());
        let widths = sides.map(|(normal, at)| (width(normal, at), *normal));
        widths.fold((f64::NEG_INFINITY, Vector::ZERO), |a, b| if b.0 > a.0 { b } else { a })
    };
    let by_first = widest(pos12, first, second);
    let (width, normal) = widest(&pos12.inverse(), second, first);
    if width > by_first.0 { (width, -(pos12.rotation * normal)) } else { by_first }
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Dispatcher {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: f64,
        manifolds: &mut Vec<ContactManifold>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let (pose, way) = Self::apart(pos12, g1, g2);
        DefaultQueryDispatcher
            .contact_manifolds(&pose, g1, g2, prediction, manifolds, workspace)?;
        if way != 0.0 {
            let points = manifolds.iter_mut().flat_map(|manifold| &mut manifold.points);
            points.for_each(|point| point.dist -= way);
        }
        Ok(())
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        normal_constraints1: Option<&dyn NormalConstraints>,
        normal_constraints2: Option<&dyn NormalConstraints>,
        prediction: f64,
        manifold: &mut ContactManifold,
    ) -> Result<(), Unsupported> {
        DefaultQueryDispatcher.contact_manifold_convex_convex(
            pos12,
            g1,
            g2,
            normal_constraints1,
            normal_constraints2,
            prediction,
            manifold,
        )
    }
}

/// Passes a query on to parry.
macro_rules! pass_on {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {
        $(
            fn $name(&self, $($arg: $type),*) -> Result<$result, Unsupported> {
                DefaultQueryDispatcher.$name($($arg),*)
            }
        )*
    };
}

impl QueryDispatcher for Dispatcher {
    pass_on! {
        intersection_test(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape) -> query::ShapeIntersection;
        distance(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape) -> query::ShapeDistance;
        contact(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, prediction: f64) -> Option<query::Contact>;
        closest_points(pos12: &Pose, g1: &dyn Shape, g2: &dyn Shape, most: f64) -> ClosestPoints;
        cast_shapes(
            pos12: &Pose,
            velocity: Vector,
            g1: &dyn Shape,
            g2: &dyn Shape,
            options: ShapeCastOptions
        ) -> Option<ShapeCastHit>;
        cast_shapes_nonlinear(
            motion1: &NonlinearRigidMotion,
            g1: &dyn Shape,
            motion2: &NonlinearRigidMotion,
            g2: &dyn Shape,
            start: f64,
            end: f64,
            stop_at_penetration: bool
        ) -> Option<ShapeCastHit>;
    }
}
