//! Tests of the plain rules.
