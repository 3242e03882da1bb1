//! KenKen: a random Latin square, divided into cages until it is the only solution (`steer.rs`, `cages/`).

use crate::budget::Interrupt;
use crate::puzzle::{Kind, MAX_DIGITS, Puzzle};
use crate::rng::RunRng;
use crate::spec::{DefaultValue, Member, Param, ParamKind, Place, Spec, SpecError};

use super::cages::{CageDraft, CageRules, OperatorMix, SINGLES, SizeMix, cages, singles};
use super::order::{MAX_SOLUTIONS, MINIMAL, Order};
use super::steer::Steering;
use super::symmetry::{SYMMETRY, Symmetry};
use super::{Entry, Generator, Shortfall, key, latin_square};

pub(super) static ENTRY: Entry = Member::new("kenken")
    .about("a KenKen with one solution: cages with clues that divide a Latin square")
    .params(&[
        Param::required("size", ParamKind::Integer(1, MAX_DIGITS as i64)).about("rows, columns and digits"),
        cages("1:1,2:8,3:6,4:2"),
        SINGLES,
        Param::new("operators", ParamKind::Text, DefaultValue::Text("+-*/"))
            .about("operators of cages, each with its weight unless that is 1, `?` for a hidden one: +3*2-/"),
        SYMMETRY,
        MAX_SOLUTIONS,
        MINIMAL,
    ])
    .build(|spec| Box::new(KenKen::of(spec)));

struct KenKen {
    stem: String,
    stream: String,
    parts: Result<(Order, CageRules), SpecError>,
}

impl KenKen {
    fn of(spec: &Spec) -> Self {
        let symmetry = Symmetry::named(spec.text("symmetry"));
        let parts = rules(spec, symmetry).map(|rules| (Order::of(spec), rules));
        let stem = format!("kenken-{}{}", spec.integer("size"), symmetry.stem());
        Self { stem, stream: key(spec), parts }
    }
}

fn rules(spec: &Spec, symmetry: Symmetry) -> Result<CageRules, SpecError> {
    let size = spec.size("size");
    let sizes = SizeMix::parse(spec.text("cages"))?;
    let operators = OperatorMix::parse(spec.text("operators"))?;
    let conflict = |message: String, help: &str| {
        Err(SpecError::Conflict { message, help: help.to_owned(), place: Place::default() })
    };
    if sizes.largest() > 2 && !operators.serves_large_cages() {
        return conflict(
            "- and / stand in cages of two cells alone".to_owned(),
            "ask for cages of 1 and 2 cells, or add + or * to the operators",
        );
    }
    if size > 1 && sizes.largest() == 1 {
        return conflict(
            "cages of one cell alone leave nothing to solve".to_owned(),
            "ask for larger cages, too",
        );
    }
    let (singles, maps) = (singles(spec, &sizes), symmetry.maps(size, size));
    Ok(CageRules { size, kind: Kind::KenKen, boxes: None, sizes, singles, operators, maps })
}

impl Generator for KenKen {
    fn stem(&self) -> String {
        self.stem.clone()
    }

    fn stream(&self) -> String {
        self.stream.clone()
    }

    fn check(&self) -> Result<(), SpecError> {
        self.parts.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn make(&self, rng: &mut RunRng, interrupt: &Interrupt) -> Result<Puzzle, Shortfall> {
        let (order, rules) = self.parts.as_ref().expect("the order was checked");
        let begin = |rng: &mut RunRng| CageDraft::begin(rules, latin_square(rules.size, rng), rng);
        Steering::new(order, rng, interrupt).run(begin).map(|draft| draft.puzzle())
    }
}
