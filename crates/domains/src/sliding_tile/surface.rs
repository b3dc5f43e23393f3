//! Surfaces: the joined edges of a board.

/// The joints of the edges of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Surface {
    /// No joined edges.
    #[default]
    Plane,
    /// Left joined to right.
    Cylinder,
    /// Left joined to right, top to bottom.
    Torus,
    /// Left joined to right with a flip.
    Mobius,
    /// Left joined to right with a flip, top to bottom without.
    KleinBottle,
    /// Left joined to right and top to bottom, both with a flip.
    ProjectivePlane,
}

/// The joint of two opposite edges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    Open,
    Straight,
    /// The first cell of one edge is joined to the last of the other.
    Flipped,
}

impl Joint {
    /// Returns the period of the images along a side of this length, or `None` for an open edge.
    pub fn period(self, length: i32) -> Option<i32> {
        match self {
            Joint::Open => None,
            Joint::Straight => Some(length),
            Joint::Flipped => Some(2 * length),
        }
    }
}

impl Surface {
    pub const ALL: [Surface; 6] = {
        use Surface::*;
        [Plane, Cylinder, Torus, Mobius, KleinBottle, ProjectivePlane]
    };

    /// Returns the name that files use.
    pub fn name(self) -> &'static str {
        match self {
            Surface::Plane => "plane",
            Surface::Cylinder => "cylinder",
            Surface::Torus => "torus",
            Surface::Mobius => "mobius",
            Surface::KleinBottle => "klein-bottle",
            Surface::ProjectivePlane => "projective-plane",
        }
    }

    /// Returns the joint of left and right, and that of top and bottom.
    pub fn joints(self) -> (Joint, Joint) {
        match self {
            Surface::Plane => (Joint::Open, Joint::Open),
            Surface::Cylinder => (Joint::Straight, Joint::Open),
            Surface::Torus => (Joint::Straight, Joint::Straight),
            Surface::Mobius => (Joint::Flipped, Joint::Open),
            Surface::KleinBottle => (Joint::Flipped, Joint::Straight),
            Surface::ProjectivePlane => (Joint::Flipped, Joint::Flipped),
        }
    }
}
