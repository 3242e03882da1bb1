//! Clauses over numbered variables.

/// Variables count from 1; a literal is a variable or, negated, its opposite.
#[derive(Default)]
pub(super) struct Cnf {
    variables: i32,
    clauses: usize,
    /// The literals of every clause, with a 0 at its end.
    literals: Vec<i32>,
}

impl Cnf {
    /// A variable that no clause has yet.
    pub(super) fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    /// One of the literals, at least one, is true.
    pub(super) fn clause(&mut self, literals: &[i32]) {
        debug_assert!(!literals.is_empty(), "readers differ in what they make of an empty clause");
        self.literals.extend(literals);
        self.literals.push(0);
        self.clauses += 1;
    }

    /// No two of the literals are true.
    pub(super) fn at_most_one(&mut self, literals: &[i32]) {
        for (index, a) in literals.iter().enumerate() {
            literals[..index].iter().for_each(|b| self.clause(&[-b, -a]));
        }
    }

    /// Nothing satisfies the clauses any more.
    pub(super) fn contradiction(&mut self) {
        let variable = self.variable();
        self.clause(&[variable]);
        self.clause(&[-variable]);
    }

    /// The number of literals, with the 0 at the end of every clause.
    pub(super) fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Appends the header and a clause a line.
    pub(super) fn write(&self, text: &mut String) {
        *text += &format!("p cnf {} {}\n", self.variables, self.clauses);
        for literal in &self.literals {
            *text += &literal.to_string();
            text.push(if *literal == 0 { '\n' } else { ' ' });
        }
    }
}
