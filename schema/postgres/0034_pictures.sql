-- The clinic's own pictures, in the place of those that the site brings along. Editors change them with
-- bitacora content export and import.

CREATE TABLE pictures (
    name    text PRIMARY KEY,
    alt     text NOT NULL,
    focus_x double precision NOT NULL CHECK (focus_x BETWEEN 0 AND 1),
    focus_y double precision NOT NULL CHECK (focus_y BETWEEN 0 AND 1),
    shown_x double precision NOT NULL CHECK (shown_x BETWEEN 0 AND 1),
    shown_y double precision NOT NULL CHECK (shown_y BETWEEN 0 AND 1),
    type    text NOT NULL,
    sha256  text NOT NULL,
    key     text NOT NULL,
    width   integer NOT NULL CHECK (width > 0),
    height  integer NOT NULL CHECK (height > 0),
    widths  integer[] NOT NULL
);
COMMENT ON TABLE pictures IS 'The clinic''s pictures and where the site shows them.';
COMMENT ON COLUMN pictures.name IS 'What it is of, and the name of its file: hero/1, doctors/irina-solanilla.';
COMMENT ON COLUMN pictures.alt IS 'Spanish text in the place of the picture; empty where it only decorates.';
COMMENT ON COLUMN pictures.focus_x IS 'What a crop keeps, as a share of the width from the left.';
COMMENT ON COLUMN pictures.focus_y IS 'The same of the height, from the top.';
COMMENT ON COLUMN pictures.shown_x IS 'Where that lies on what the crop has left, as a share of its width.';
COMMENT ON COLUMN pictures.shown_y IS 'The same of its height.';
COMMENT ON COLUMN pictures.type IS 'Ending of the original''s name: jpg, png, webp or svg.';
COMMENT ON COLUMN pictures.sha256 IS 'Digest of the original without metadata; with the type the name of its row in picture_files.';
COMMENT ON COLUMN pictures.key IS 'Beginning of the names of the files made of it: another original or crop has another key.';
COMMENT ON COLUMN pictures.width IS 'Width of the largest file made of it, in pixels.';
COMMENT ON COLUMN pictures.height IS 'Height of the largest file made of it, in pixels.';
COMMENT ON COLUMN pictures.widths IS 'Widths of the files made of it, the smallest first.';

CREATE TABLE picture_files (
    name text PRIMARY KEY,
    data bytea NOT NULL
);
-- Pictures are compressed already.
ALTER TABLE picture_files ALTER COLUMN data SET STORAGE EXTERNAL;
COMMENT ON TABLE picture_files IS 'Originals of pictures without metadata, and the files made of them.';
COMMENT ON COLUMN picture_files.name IS 'Of an original SHA-256.type; of the others key-width.type. What a name holds never changes.';

GRANT SELECT, INSERT, DELETE ON pictures, picture_files TO bitacora_writer;
