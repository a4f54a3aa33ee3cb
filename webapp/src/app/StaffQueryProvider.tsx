import "../dashboard/dashboard.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { recover } from "../api/recovery";
import { useOtherTabs } from "../auth/session";
import { createQueryClient } from "./queryClient";

const client = createQueryClient();

/** Everything that the staff's pages fetch, in one cache that they share. */
export function StaffQueryProvider({ children }: { readonly children: ReactNode }) {
  useEffect(() => recover(client), []);
  return (
    <QueryClientProvider client={client}>
      <OtherTabs />
      {children}
    </QueryClientProvider>
  );
}

function OtherTabs() {
  useOtherTabs();
  return null;
}
