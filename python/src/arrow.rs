//! Tables as Arrow, for whatever reads its C stream interface: pandas, polars, pyarrow, DuckDB.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch, RecordBatchIterator,
    RecordBatchOptions,
};
use arrow_schema::{Field, Schema};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::error;

/// A stream of one batch, as the capsule of the C stream interface. A column is an array of `int64`, `float64` or `bool`, or
/// a list of texts; NaN and None become null.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let (mut fields, mut arrays): (Vec<Field>, Vec<ArrayRef>) = Default::default();
    for (name, column) in &columns {
        let (array, rows) = (array(column)?, arrays.first().map(|array| array.len()));
        if let Some(rows) = rows.filter(|rows| *rows != array.len()) {
            let found = array.len();
            return Err(error(format!("the column `{name}` has {found} values, but others have {rows}")));
        }
        fields.push(Field::new(name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let (schema, rows) = (Arc::new(Schema::new(fields)), arrays.first().map_or(0, |array| array.len()));
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options).map_err(error)?;
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
}

fn array(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Ok(counts) = column.extract::<PyReadonlyArray1<'_, i64>>() {
        return Ok(Arc::new(Int64Array::from_iter_values(counts.as_array().iter().copied())));
    }
    if let Ok(reals) = column.extract::<PyReadonlyArray1<'_, f64>>() {
        let mut column = Vec::new();
        for real in reals.as_array() {
            // NaN is how numpy says that a number is unknown.
            column.push(if real.is_nan() { None } else { Some(*real) });
        }
        return Ok(Arc::new(Float64Array::from(column)));
    }
    if let Ok(flags) = column.extract::<PyReadonlyArray1<'_, bool>>() {
        return Ok(Arc::new(flags.as_array().iter().copied().map(Some).collect::<BooleanArray>()));
    }
    // With 64 bits a place: many long grids do not fit 32.
    Ok(Arc::new(LargeStringArray::from(column.extract::<Vec<Option<String>>>()?)))
}
