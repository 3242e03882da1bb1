//! A table as HTML.

use maud::{Markup, html};

use super::{Align, Table};

impl Table {
    /// The table for a page.
    pub(in crate::report) fn page(&self) -> Markup {
        let class = |align: Align| if align == Align::Right { "number" } else { "" };
        html! {
            @if !self.title.is_empty() { p { (self.title) } }
            div.wide {
                table {
                    thead {
                        tr { @for column in &self.columns { th class=(class(column.align)) { (column.heading) } } }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (column, cell) in self.columns.iter().zip(row) {
                                    td class=(class(column.align)) {
                                        @if cell.is_strong { strong { (cell.text) } } @else { (cell.text) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            @for note in &self.notes { p.note { (note) } }
        }
    }
}
