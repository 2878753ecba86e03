"""Pages as libraries make them, modelled with known truth, as the lines that the recorder of pages writes."""
