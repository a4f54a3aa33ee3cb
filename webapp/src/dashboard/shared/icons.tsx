import { glyph } from "../../ui/icons";

export const RiseIcon = glyph(<path d="M12 19V5.5m0 0L6 11.5m6-6 6 6" />);
export const FallIcon = glyph(<path d="M12 5v13.5m0 0 6-6m-6 6-6-6" />);
export const MoonIcon = glyph(<path d="M20 14.2A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.2Z" />);
export const PrinterIcon = glyph(
  <path d="M7 8.5V4h10v4.5M7 17H5a1.5 1.5 0 0 1-1.5-1.5V10A1.5 1.5 0 0 1 5 8.5h14a1.5 1.5 0 0 1 1.5 1.5v5.5A1.5 1.5 0 0 1 19 17h-2M7 14h10v6H7Z" />,
);
export const LinkIcon = glyph(
  <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1" />,
);
export const KeyboardIcon = glyph(
  <>
    <rect height="12" rx="2.5" width="19" x="2.5" y="6" />
    <path d="M6.5 10v.1M10.2 10v.1M13.8 10v.1M17.5 10v.1M7.5 14h9" />
  </>,
);
export const QuestionIcon = glyph(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.7 9.6a2.4 2.4 0 1 1 3.5 2.3c-.8.4-1.2.9-1.2 1.7M12 16.5v.1" />
  </>,
);
export const PeopleIcon = glyph(
  <>
    <circle cx="9" cy="8.5" r="3.5" />
    <path d="M2.5 19.5a6.5 6.5 0 0 1 13 0M16 5.2a3.5 3.5 0 0 1 0 6.6M18 13.6a6.5 6.5 0 0 1 3.5 5.9" />
  </>,
);
export const DownloadIcon = glyph(<path d="M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M4.5 19.5h15" />);
export const TableIcon = glyph(
  <>
    <rect height="15" rx="2" width="17" x="3.5" y="4.5" />
    <path d="M3.5 9.5h17M3.5 14.5h17M9.5 9.5v10" />
  </>,
);
export const InboxIcon = glyph(
  <path d="M3.5 13.5V18A1.5 1.5 0 0 0 5 19.5h14a1.5 1.5 0 0 0 1.5-1.5v-4.5L17.5 5h-11Zm0 0H9a3 3 0 0 0 6 0h5.5" />,
);
export const LineChartIcon = glyph(<path d="M4 4v16h16M7.5 14.5l3.5-4 3 2.5 5-6" />);
export const SearchIcon = glyph(
  <>
    <circle cx="10.8" cy="10.8" r="6.3" />
    <path d="m15.5 15.5 4.5 4.5" />
  </>,
);
export const MessagesIcon = glyph(
  <>
    <path d="M14.5 10.5c0 3-2.7 5.3-6 5.3-.7 0-1.4-.1-2-.3L3 16.8l1-2.7a5 5 0 0 1-1.5-3.6c0-3 2.7-5.3 6-5.3s6 2.3 6 5.3Z" />
    <path d="M17 9.3c2.6.5 4.5 2.5 4.5 5 0 1.4-.6 2.6-1.5 3.5l.9 2.4-3.2-1c-.6.1-1.1.2-1.7.2-1.9 0-3.6-.8-4.7-2.1" />
  </>,
);
export const PersonIcon = glyph(
  <>
    <circle cx="12" cy="8" r="3.8" />
    <path d="M4.8 20c.5-3.7 3.5-6 7.2-6s6.7 2.3 7.2 6" />
  </>,
);
export const BlockedIcon = glyph(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m6 6 12 12" />
  </>,
);
export const LogoutIcon = glyph(
  <path d="M14.5 8V6a2 2 0 0 0-2-2H6.5a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2v-2M9.5 12h11m0 0-3-3m3 3-3 3" />,
);
export const HeartIcon = glyph(
  <path d="M12 20s-7.8-4.6-7.8-10.2A4.3 4.3 0 0 1 12 7.3a4.3 4.3 0 0 1 7.8 2.5C19.8 15.4 12 20 12 20Z" />,
);
