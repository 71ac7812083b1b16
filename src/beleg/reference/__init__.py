"""An embedded RAG that runs offline."""
